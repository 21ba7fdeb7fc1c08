import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  statfsSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';

/** A notification on this channel asks the keeper to stop the server now, if no other client is connected. */
export const KEEPER_CHANNEL = 'test_server_no_longer_needed';

/** Returns the file in which the keeper of a data folder describes its server. */
export const keeperFile = (dataDir: string) => join(dataDir, 'keeper.json');

/** A use of the shared test server, which keeps it running. */
export type Use = {
  readonly url: string;
  /** Ends the use; with `stop`, stops the server unless others use it, and waits for that. */
  leave(stop?: boolean): Promise<void>;
};

type Kept = { readonly url: string; readonly pid: number };

const START_LIMIT_MS = 60_000;
/** A keeper that was started while another was stopping may have given up. */
const ANOTHER_TRY_MS = 4_000;
const STOP_LIMIT_MS = 10_000;
const MEMORY = '/dev/shm';
const MEMORY_NEEDED_BYTES = 4_000_000_000;
/**
 * Every test has sessions of its own, which grow by some megabytes each. To get that memory page by page, and to return it after
 * every statement, takes a quarter of the server's time.
 */
const MEMORY_IN_LARGE_PIECES = {
  GLIBC_TUNABLES: [
    'glibc.malloc.top_pad=4194304',
    'glibc.malloc.trim_threshold=268435456',
    'glibc.malloc.mmap_threshold=268435456',
  ].join(':'),
};
const KEEPER = fileURLToPath(new URL('./keeper.ts', import.meta.url));

/** Returns the test server of this user and this checkout, started if it is not running. */
export async function useSharedServer(): Promise<Use> {
  const dataDir = ownFolder();
  const deadline = performance.now() + START_LIMIT_MS;
  let startedAt = Number.NEGATIVE_INFINITY;
  while (performance.now() < deadline) {
    const kept = readKept(dataDir);
    if (!kept || !isProcess(kept.pid)) {
      if (performance.now() - startedAt > ANOTHER_TRY_MS) {
        startKeeper(dataDir);
        startedAt = performance.now();
      }
    } else {
      const session = await openSession(kept.url);
      if (session) return useOf(session, kept, dataDir);
    }
    await sleep(25);
  }
  throw new Error(`the test PostgreSQL does not start: see ${join(dataDir, 'keeper.log')}`);
}

function useOf(session: Session, kept: Kept, dataDir: string): Use {
  return {
    url: kept.url,
    leave: async (stop = false) => {
      session.socket.ref();
      if (stop) await session.client.query(`NOTIFY ${KEEPER_CHANNEL}`).catch(() => {});
      await session.client.end();
      const deadline = performance.now() + (stop ? STOP_LIMIT_MS : 0);
      // Another client keeps the server running, and so its file exists: then there is nothing to wait for.
      let patience = performance.now() + 1_500;
      while (isProcess(kept.pid) && performance.now() < Math.min(deadline, patience)) {
        if (readKept(dataDir) === undefined) patience = deadline;
        await sleep(25);
      }
    },
  };
}

/** Returns a folder that only this user may access, in memory if there is room: copying a database is then quick. */
function ownFolder(): string {
  const uid = process.getuid?.() ?? 0;
  const checkout = createHash('sha256').update(KEEPER).digest('hex').slice(0, 12);
  const folder = join(hasRoom(MEMORY) ? MEMORY : tmpdir(), `recollect-test-${uid}-${checkout}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  if (!stat.isDirectory() || (process.getuid && stat.uid !== uid))
    throw new Error(`${folder} is not a folder of this user: remove it`);
  return folder;
}

/** Decides by size, not by the current free space: all test processes must decide alike. */
function hasRoom(folder: string): boolean {
  try {
    const { bsize, blocks } = statfsSync(folder);
    accessSync(folder, constants.W_OK);
    return bsize * blocks >= MEMORY_NEEDED_BYTES;
  } catch {
    return false;
  }
}

function readKept(dataDir: string): Kept | undefined {
  try {
    return JSON.parse(readFileSync(keeperFile(dataDir), 'utf8'));
  } catch {
    return undefined;
  }
}

function isProcess(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

function startKeeper(dataDir: string): void {
  const log = openSync(join(dataDir, 'keeper.log'), 'a', 0o600);
  const { NODE_OPTIONS, NODE_V8_COVERAGE, NODE_TEST_CONTEXT, ...env } = process.env;
  spawn(process.execPath, [KEEPER, dataDir], {
    detached: true,
    stdio: ['ignore', log, log],
    cwd: dataDir,
    env: { ...env, ...MEMORY_IN_LARGE_PIECES },
  }).unref();
  closeSync(log);
}

type Session = { readonly client: pg.Client; readonly socket: Socket };

/** Opens a session that does not keep this process alive; undefined if the server does not respond. */
async function openSession(url: string): Promise<Session | undefined> {
  const socket = new Socket();
  const client = new pg.Client({ connectionString: url, stream: () => socket });
  client.on('error', () => {});
  try {
    await client.connect();
    socket.unref();
    return { client, socket };
  } catch {
    await client.end().catch(() => {});
    return undefined;
  }
}
