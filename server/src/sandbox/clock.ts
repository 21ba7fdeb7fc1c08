import { type Clock, realNow } from '../platform/clock.ts';
import type { Db, Tx } from '../platform/db.ts';
import { isAdvancing } from './advance-lock.ts';

/** Business time in the sandbox: real time and an offset, except while it is held during an advance. */
export interface SandboxClock extends Clock {
  /** Whether an advance is under way, in this process or another. */
  isHeld(): boolean;
  /** Stops the clock at `at`, or where it stands when that is later; answers where. Every process follows. */
  hold(at: Temporal.Instant): Promise<Temporal.Instant>;
  /** Lets the clock go on from where it is held. */
  release(): Promise<void>;
  close(): Promise<void>;
}

interface State {
  offsetMs: number;
  heldAt: Temporal.Instant | null;
}

const CHANNEL = 'sandbox_clock';
/** A notification can be lost with its connection: then the clock follows a little later. */
const LOOK_EVERY_MS = 1_000;

/** The offset with which the clock reads `at` just now. */
const offsetFor = (at: Temporal.Instant): number =>
  at.epochMilliseconds - realNow().epochMilliseconds;

/**
 * The clock kept in the database. It never goes backwards. One that is still held though no advance is
 * under way any more (its process died) goes on from where it was held.
 */
export async function makeSandboxClock(db: Db): Promise<SandboxClock> {
  let state = await db.transaction(open);
  let latest = Temporal.Instant.fromEpochMilliseconds(0);
  let changes = 0; // so that what was read before our own change is not taken for newer
  const change = async (next: State): Promise<void> => {
    changes++;
    state = next;
    await db.transaction((tx) => save(tx, next));
    changes++;
  };
  const follow = async (): Promise<void> => {
    const before = changes;
    const read = await db.read(load);
    if (before === changes) state = read;
  };
  const followQuietly = (): void => void follow().catch(() => undefined); // the next look finds it
  const unlisten = await db.listen(CHANNEL, followQuietly);
  const timer = setInterval(followQuietly, LOOK_EVERY_MS);
  timer.unref();
  const now = (): Temporal.Instant => {
    const read = state.heldAt ?? realNow().add({ milliseconds: state.offsetMs });
    if (Temporal.Instant.compare(read, latest) > 0) latest = read;
    return latest;
  };
  return {
    now,
    isHeld: () => state.heldAt !== null,
    async hold(at) {
      const reached = now();
      const heldAt = Temporal.Instant.compare(at, reached) > 0 ? at : reached;
      await change({ ...state, heldAt });
      return heldAt;
    },
    async release() {
      const { heldAt } = state;
      if (heldAt !== null) await change({ offsetMs: offsetFor(heldAt), heldAt: null });
    },
    async close() {
      clearInterval(timer);
      await unlisten();
    },
  };
}

async function open(tx: Tx): Promise<State> {
  await tx.run('INSERT INTO sandbox_clock (offset_ms) VALUES (0) ON CONFLICT DO NOTHING');
  const state = await load(tx);
  if (state.heldAt === null || (await isAdvancing(tx))) return state;
  const goingOn = { offsetMs: offsetFor(state.heldAt), heldAt: null };
  await save(tx, goingOn);
  return goingOn;
}

async function load(tx: Tx): Promise<State> {
  const row = await tx.row<{ offset_ms: number; held_at: Temporal.Instant | null }>(
    'SELECT offset_ms, held_at FROM sandbox_clock',
  );
  return { offsetMs: row?.offset_ms ?? 0, heldAt: row?.held_at ?? null };
}

async function save(tx: Tx, { offsetMs, heldAt }: State): Promise<void> {
  await tx.run('UPDATE sandbox_clock SET offset_ms = $1, held_at = $2', [offsetMs, heldAt]);
  await tx.rows('SELECT pg_notify($1, $2)', [CHANNEL, '']);
}
