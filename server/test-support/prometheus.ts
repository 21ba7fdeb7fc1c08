import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { freePort } from './free-ports.ts';

/** A real Prometheus that reads a service's metrics every second. */
export interface Prometheus {
  /** Returns the names of the alerts that are pending or firing, each once, in order. */
  alerts(): Promise<string[]>;
  /** Waits until these alerts are among those. Fails after five minutes, naming what is there. */
  waitFor(names: readonly string[]): Promise<void>;
  /** Returns how many series a PromQL expression has now. Throws if it cannot be evaluated. */
  countSeries(expression: string): Promise<number>;
  close(): Promise<void>;
}

interface Answer {
  status: string;
  error?: string;
  data?: {
    alerts?: { labels: { alertname: string } }[];
    activeTargets?: { health: string }[];
    result?: unknown[];
  };
}

/** Whether Prometheus is installed: `apt-get install prometheus`. */
export const HAS_PROMETHEUS = spawnSync('prometheus', ['--version']).status === 0;

const TRIES = 600;
const PAUSE_MS = 500;

/**
 * Starts Prometheus with these rules on the operators' ports of a service, and waits for its first scrape. `alertmanager`: the
 * host and port to which it sends the alerts.
 */
export async function startPrometheus(
  operatorUrls: readonly string[],
  rules: string,
  alertmanager?: string,
): Promise<Prometheus> {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-prometheus-'));
  const config = join(folder, 'prometheus.yml');
  const targets = operatorUrls.map((url) => new URL(url).host);
  writeFileSync(config, configuration(targets, rules, alertmanager));
  const port = await freePort();
  const child = spawn(
    'prometheus',
    [
      `--config.file=${config}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--rules.alert.resend-delay=1s', // the first alerts may come before Alertmanager is known
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const ask = async (path: string): Promise<Answer | null> => {
    const url = `http://127.0.0.1:${port}/api/v1/${path}`;
    const answer = await request(url).catch(() => null);
    return answer === null ? null : ((await answer.body.json().catch(() => null)) as Answer | null);
  };
  const alerts = async (): Promise<string[]> => {
    const all = (await ask('alerts'))?.data?.alerts ?? [];
    return [...new Set(all.map(({ labels }) => labels.alertname))].sort();
  };
  const until = async (isSo: () => Promise<boolean>): Promise<boolean> => {
    for (let tries = 0; tries < TRIES; tries++, await sleep(PAUSE_MS))
      if (await isSo()) return true;
    return false;
  };
  const isRead = await until(async () => {
    const targets = (await ask('targets'))?.data?.activeTargets ?? [];
    return targets.some(({ health }) => health === 'up');
  });
  if (!isRead) throw new Error('Prometheus did not read the metrics');
  return {
    alerts,
    async waitFor(names) {
      const isThere = async () => (await alerts()).filter((one) => names.includes(one)).length;
      if (await until(async () => (await isThere()) === names.length)) return;
      throw new Error(`alerts: ${(await alerts()).join(', ')}; expected ${names.join(', ')}`);
    },
    async countSeries(query) {
      const answer = await ask(`query?${new URLSearchParams({ query })}`);
      if (answer?.data?.result === undefined) throw new Error(`${query}: ${answer?.error}`);
      return answer.data.result.length;
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function configuration(targets: readonly string[], rules: string, alertmanager?: string): string {
  return JSON.stringify({
    global: { scrape_interval: '1s', evaluation_interval: '1s' },
    rule_files: [rules],
    alerting:
      alertmanager === undefined
        ? {}
        : { alertmanagers: [{ static_configs: [{ targets: [alertmanager] }] }] },
    scrape_configs: [{ job_name: 'recollect', static_configs: [{ targets }] }],
  });
}
