import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { request } from 'undici';
import { freePort } from './free-ports.ts';

const SHIPPED = fileURLToPath(
  new URL('../../deploy/monitoring/alertmanager.yaml', import.meta.url),
);
/** Debian's name for it. */
const PROGRAM = 'prometheus-alertmanager';
const TRIES = 240;
const PAUSE_MS = 500;

/** An alert: its labels, with its name among them. */
export type Labels = Readonly<Record<string, string>>;

/** A real Alertmanager with the routes that ship, except that a group waits for a few seconds only. */
export interface Alertmanager {
  /** Where Prometheus sends alerts. */
  host: string;
  /** Takes alerts as Prometheus sends them. */
  send(alerts: readonly Labels[]): Promise<void>;
  /** Waits until as many alerts as these names are there, and each is notified or inhibited. Returns the inhibited ones. */
  settled(names: readonly string[]): Promise<string[]>;
  /** The groups of alerts that people were notified of, by receiver and alert. */
  notified: readonly string[];
  close(): Promise<void>;
}

interface Shown {
  labels: Labels;
  status: { state: string; inhibitedBy: string[] };
}

/** Whether Alertmanager is installed: `apt-get install prometheus-alertmanager`. */
export const HAS_ALERTMANAGER = spawnSync(PROGRAM, ['--version']).status === 0;

/** Starts Alertmanager, and a receiver of its notifications. `waitSeconds`: how long a new group waits. */
export async function startAlertmanager(waitSeconds: number): Promise<Alertmanager> {
  const notified: string[] = [];
  const receiver = createServer(async (incoming, response) => {
    const { alerts } = JSON.parse(await text(incoming)) as {
      alerts: { status: string; labels: Labels }[];
    };
    for (const { status, labels } of alerts)
      if (status === 'firing') notified.push(`${incoming.url?.slice(1)}: ${labels.alertname}`);
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const folder = mkdtempSync(join(tmpdir(), 'recollect-alertmanager-'));
  const { port: receives } = receiver.address() as AddressInfo;
  const config = readFileSync(SHIPPED, 'utf8')
    .replaceAll('https://recollect.example', `http://127.0.0.1:${receives}`)
    .replace('group_wait: 30s', `group_wait: ${waitSeconds}s`);
  writeFileSync(join(folder, 'alertmanager.yml'), config);
  const host = `127.0.0.1:${await freePort()}`;
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${join(folder, 'alertmanager.yml')}`,
      `--storage.path=${join(folder, 'data')}`,
      `--web.listen-address=${host}`,
      '--cluster.listen-address=',
    ],
    { stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  const url = `http://${host}/api/v2/alerts`;
  const list = async (): Promise<Shown[] | null> => {
    const answer = await request(url).catch(() => null);
    return answer === null ? null : ((await answer.body.json().catch(() => null)) as Shown[]);
  };
  const until = async (isSo: (shown: Shown[]) => boolean): Promise<Shown[]> => {
    let shown: Shown[] | null = null;
    for (let tries = 0; tries < TRIES; tries++, await sleep(PAUSE_MS)) {
      shown = await list();
      if (shown !== null && isSo(shown)) return shown;
    }
    throw new Error(`Alertmanager has ${JSON.stringify(shown)}; notified: ${notified.join(', ')}`);
  };
  await until(() => true);
  return {
    host,
    notified,
    async send(alerts) {
      const headers = { 'content-type': 'application/json' };
      const body = JSON.stringify(alerts.map((labels) => ({ labels })));
      const { statusCode } = await request(url, { method: 'POST', headers, body });
      if (statusCode !== 200) throw new Error(`Alertmanager returned ${statusCode}`);
    },
    async settled(names) {
      const isQuiet = ({ status }: Shown) => status.inhibitedBy.length > 0;
      const nameOf = ({ labels }: Shown) => labels.alertname ?? '';
      const shown = await until((all) => {
        const there = new Set(all.map(nameOf));
        const isNotified = (one: Shown) =>
          isQuiet(one) || notified.some((told) => told.endsWith(` ${nameOf(one)}`));
        return names.every((name) => there.has(name)) && all.every(isNotified);
      });
      return [...new Set(shown.filter(isQuiet).map(nameOf))].sort();
    },
    async close() {
      child.kill('SIGTERM');
      await ended;
      receiver.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
