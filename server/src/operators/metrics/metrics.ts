import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type LabelsOf, METRICS, type Metric, type MetricName, type NameOf } from './table.ts';

/** The content type of Prometheus' text format. */
export const METRICS_TYPE: string = Registry.PROMETHEUS_CONTENT_TYPE;

/** A value of a gauge, with its labels. */
export type Sample = {
  [N in NameOf<'gauge'>]: { name: N; labels: LabelsOf<N>; value: number };
}[NameOf<'gauge'>];

/** The metrics of one service, in memory: counting costs no statement and no wait. */
export interface Metrics {
  count<N extends NameOf<'counter'>>(name: N, labels: LabelsOf<N>, by?: number): void;
  observe<N extends NameOf<'histogram'>>(name: N, labels: LabelsOf<N>, seconds: number): void;
  set(sample: Sample): void;
  /** Replaces all values of these gauges; one that has no sample is absent from then on. */
  replace(names: readonly NameOf<'gauge'>[], samples: readonly Sample[]): void;
  /** Returns everything in Prometheus' text format, with the metrics of the process. */
  expose(): Promise<string>;
}

/** Sums of other metrics: gauges by a counter's name, which Prometheus' linter refuses. */
const MISNAMED = ['handles', 'requests', 'resources'].map((what) => `nodejs_active_${what}_total`);

/** CPU, memory, event loop and garbage collection: of the process, and so the same for each service in it. */
let ofProcess: Registry | undefined;

function processMetrics(): Registry {
  if (ofProcess === undefined) {
    ofProcess = new Registry();
    collectDefaultMetrics({ register: ofProcess });
    for (const name of MISNAMED) ofProcess.removeSingleMetric(name);
  }
  return ofProcess;
}

/** Makes every metric of the table, without values. */
export function makeMetrics(): Metrics {
  const registry = new Registry();
  const counters = makeAll(
    'counter',
    (config) => new Counter({ ...config, registers: [registry] }),
  );
  const gauges = makeAll('gauge', (config) => new Gauge({ ...config, registers: [registry] }));
  const histograms = makeAll(
    'histogram',
    (config) => new Histogram({ ...config, registers: [registry] }),
  );
  const clear = (name: NameOf<'gauge'>): void => {
    gauges.get(name)?.reset();
    // A gauge without labels is 0 after a reset, and nobody has measured that.
    if (METRICS[name].labels.length === 0) gauges.get(name)?.remove();
  };
  for (const name of gauges.keys()) clear(name as NameOf<'gauge'>);
  const set = ({ name, labels, value }: Sample): void =>
    gauges.get(name)?.set({ ...labels }, value);
  return {
    set,
    count: (name, labels, by = 1) => counters.get(name)?.inc({ ...labels }, by),
    observe: (name, labels, seconds) => histograms.get(name)?.observe({ ...labels }, seconds),
    replace(names, samples) {
      for (const name of names) clear(name);
      for (const sample of samples) set(sample);
    },
    async expose() {
      const all = [registry, processMetrics()];
      return (await Promise.all(all.map((one) => one.metrics()))).join('\n');
    },
  };
}

interface Configuration {
  name: string;
  help: string;
  labelNames: string[];
  buckets?: number[];
}

function makeAll<M>(
  kind: Metric['kind'],
  make: (config: Configuration) => M,
): ReadonlyMap<MetricName, M> {
  const all = Object.entries<Metric>(METRICS).filter(([, metric]) => metric.kind === kind);
  return new Map(
    all.map(([name, { help, labels, buckets }]) => [
      name as MetricName,
      make({
        name,
        help,
        labelNames: [...labels],
        ...(buckets === undefined ? {} : { buckets: [...buckets] }),
      }),
    ]),
  );
}
