import { execFile, spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Consecutive requests on `connections` connections. `{number}` in body and headers is different in each request. */
export interface Load {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  connections: number;
  seconds: number;
  /** The numbers start after this one. */
  from: number;
}

export interface Loaded {
  perSecond: number;
  answered: number;
  /** Responses other than 2xx, and requests without a response. */
  refused: number;
  /** Of the 2xx responses. */
  p50Ms: number;
  p99Ms: number;
}

const FILE = fileURLToPath(new URL('./load.ts', import.meta.url));
const run = promisify(execFile);

/** Sends a load from a process of its own. Throws if a request is refused: such a figure would mean nothing. */
export async function sendLoad(load: Load): Promise<Loaded> {
  const { stdout } = await run(process.execPath, [FILE, JSON.stringify(load)]);
  const loaded = JSON.parse(stdout) as Loaded;
  if (loaded.refused > 0)
    throw new Error(`${loaded.refused} of ${load.method} ${load.url} were refused`);
  return loaded;
}

/** Starts a load in a process of its own; `stop` ends it, and returns what it met, refusals included. */
export function startLoad(load: Load): { stop(): Promise<Loaded> } {
  const child = spawn(process.execPath, [FILE, JSON.stringify(load)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = text(child.stdout);
  return {
    async stop() {
      child.kill('SIGTERM');
      return JSON.parse(await printed) as Loaded;
    },
  };
}
