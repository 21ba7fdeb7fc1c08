import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

/** Requests that follow each other on so many connections. `{number}` in body and headers is another one in each request. */
export interface Load {
  url: string;
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body?: string;
  connections: number;
  seconds: number;
  /** The numbers start behind this one. */
  from: number;
}

export interface Loaded {
  perSecond: number;
  answered: number;
  /** Answers other than 2xx, and requests without one. */
  refused: number;
  p50Ms: number;
  p99Ms: number;
}

const FILE = fileURLToPath(new URL('./load.ts', import.meta.url));
const run = promisify(execFile);

/** Sends a load from a process of its own. Throws where a request is refused: such a figure would mean nothing. */
export async function sendLoad(load: Load): Promise<Loaded> {
  const { stdout } = await run(process.execPath, [FILE, JSON.stringify(load)]);
  const loaded = JSON.parse(stdout) as Loaded;
  if (loaded.refused > 0)
    throw new Error(`${loaded.refused} of ${load.method} ${load.url} were refused`);
  return loaded;
}
