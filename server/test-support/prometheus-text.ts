import assert from 'node:assert/strict';

/** A metric as its text says it is, with its samples. */
export interface Family {
  type: string;
  help: string;
  samples: { name: string; labels: Record<string, string>; value: number }[];
}

const HELP = /^# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$/;
const TYPE = /^# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram|summary)$/;
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\["\\n])*)"(?:,|$)/y;
/** What the samples of a type are called, after its metric. */
const SUFFIXES: Record<string, readonly string[]> = {
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
};

/** Reads Prometheus' text format 0.0.4, by name. Throws for anything that the format does not allow. */
export function readPrometheusText(text: string): Map<string, Family> {
  assert.ok(text.endsWith('\n'), 'the last line ends');
  const families = new Map<string, Family>();
  const seen = new Set<string>();
  let name = '';
  for (const line of text.split('\n').filter((one) => one !== '')) {
    const [, helped, help = ''] = HELP.exec(line) ?? [];
    const [, typed, type = ''] = TYPE.exec(line) ?? [];
    const family = families.get(name);
    if (helped !== undefined) {
      assert.ok(!families.has(helped), `${helped} comes twice`);
      name = helped;
      families.set(name, { type: '', help, samples: [] });
    } else if (typed !== undefined) {
      assert.ok(
        family !== undefined && typed === name,
        `the type does not follow the help: ${line}`,
      );
      family.type = type;
    } else {
      assert.ok(family !== undefined && family.type !== '', `without a type: ${line}`);
      const sample = readSample(line);
      const names = (SUFFIXES[family.type] ?? ['']).map((suffix) => `${name}${suffix}`);
      assert.ok(names.includes(sample.name), `not of ${name}: ${line}`);
      const key = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      assert.ok(!seen.has(key), `twice: ${line}`);
      seen.add(key);
      family.samples.push(sample);
    }
  }
  return families;
}

function readSample(line: string): Family['samples'][number] {
  const [, name = '', inBraces = '', number = ''] = SAMPLE.exec(line) ?? [];
  assert.notEqual(name, '', `no sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  while (LABEL.lastIndex < inBraces.length) {
    const [, label = '', value = ''] = LABEL.exec(inBraces) ?? [];
    assert.notEqual(label, '', `labels: ${line}`);
    assert.ok(!(label in labels), `a label twice: ${line}`);
    labels[label] = value;
  }
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number);
  assert.ok(!Number.isNaN(value) || /^nan$/i.test(number), `no number: ${line}`);
  return { name, labels, value };
}

/**
 * Returns the value of the only sample of a metric with these labels, perhaps among others; null: there is none. Of a histogram,
 * `name` is that of a sample, such as `…_count`.
 */
export function sampleOf(
  families: ReadonlyMap<string, Family>,
  name: string,
  labels: Record<string, string> = {},
): number | null {
  const found = [...families.values()]
    .flatMap(({ samples }) => samples)
    .filter((sample) => sample.name === name)
    .filter((sample) =>
      Object.entries(labels).every(([key, value]) => sample.labels[key] === value),
    );
  assert.ok(found.length <= 1, `${name}: ${found.length} samples`);
  return found[0]?.value ?? null;
}
