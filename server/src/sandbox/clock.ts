import type { Db, Tx } from '../platform/db/db.ts';
import { type Clock, realNow } from '../platform/time/clock.ts';
import { isAfter, later, plusMs } from '../platform/values/instants.ts';
import { isAdvancing } from './advance-lock.ts';
import { recordCutOff } from './progress-store.ts';

/** The sandbox's business time: real time plus an offset, except while it is held during an advance. */
export interface SandboxClock extends Clock {
  /** Whether an advance is in progress, in this process or another. */
  isHeld(): boolean;
  /** Stops the clock at `at`, or at its current time if that is later; returns where. Every process follows. */
  hold(at: Temporal.Instant): Promise<Temporal.Instant>;
  /** Whether somebody has asked for the advance in progress to stop, as known since the last `hold`. */
  isStopAsked(): boolean;
  /** Resumes the clock from where it is held. */
  release(): Promise<void>;
  /** Reads the changes of other processes, without waiting for a notification. */
  look(): Promise<void>;
  /**
   * Starts a new life at real time, the only way back: `empty` deletes the old one in the same transaction, which may run more
   * than once. Every process follows. Returns when the new life begins.
   */
  restart(empty: (tx: Tx, now: Temporal.Instant) => Promise<void>): Promise<Temporal.Instant>;
  close(): Promise<void>;
}

interface State {
  offsetMs: number;
  heldAt: Temporal.Instant | null;
  /** Counts the lives of this sandbox, from 1: within one, time never goes backwards. */
  life: number;
}

const CHANNEL = 'sandbox_clock';
const MOMENT = `SELECT coalesce(held_at, date_trunc('milliseconds', clock_timestamp())
  + offset_ms * interval '1 millisecond') AS now FROM sandbox_clock`;
/** A notification can be lost with its connection: then the clock follows a little later. */
const POLL_MS = 1_000;
const BEGINNING = Temporal.Instant.fromEpochMilliseconds(0);

/** Returns the offset at which the clock reads `at` right now. */
const offsetFor = (at: Temporal.Instant): number =>
  at.epochMilliseconds - realNow().epochMilliseconds;

/**
 * Makes a clock whose state is kept in the database. It never goes backwards, except on a reset. If it is still held although
 * no advance is in progress any more (its process crashed, or the database did not accept the release), it resumes from where it
 * was held.
 */
export async function makeSandboxClock(db: Db): Promise<SandboxClock> {
  await db.transaction((tx) =>
    tx.run('INSERT INTO sandbox_clock (offset_ms) VALUES (0) ON CONFLICT DO NOTHING'),
  );
  let state = await db.transaction(loadLeftAlone);
  let latest = BEGINNING;
  let begun = 0; // reads and changes, in the order in which they began
  let known = 0; // the read or change that the state is from: older reads are ignored
  let isStopAsked = false;
  let changing = 0; // changes that a read cannot see yet
  const adopt = (next: State): void => {
    if (next.life !== state.life) latest = BEGINNING;
    state = next;
  };
  /** `meanwhile` is the state during the write, and, if the write fails, until the next look. */
  const change = async (meanwhile: State, next: State): Promise<void> => {
    changing++;
    state = meanwhile;
    try {
      isStopAsked = await db.transaction((tx) => save(tx, next));
      state = next;
    } finally {
      changing--;
      known = ++begun;
    }
  };
  const follow = async (reading: () => Promise<State>): Promise<void> => {
    const turn = ++begun;
    const read = await reading();
    if (changing > 0 || turn < known) return;
    known = turn;
    adopt(read);
  };
  const look = (): Promise<void> => follow(() => db.read(load));
  const quietly = (looking: Promise<void>): void => void looking.catch(() => undefined); // the next look corrects it
  const unlisten = await db.listen(CHANNEL, () => quietly(look()));
  const goOnWhereLeft = async (): Promise<State> => {
    const found = await db.read(load);
    return found.heldAt === null ? found : db.transaction(loadLeftAlone);
  };
  const timer = setInterval(() => quietly(follow(goOnWhereLeft)), POLL_MS);
  timer.unref();
  const now = (): Temporal.Instant => {
    const read = state.heldAt ?? plusMs(realNow(), state.offsetMs);
    if (isAfter(read, latest)) latest = read;
    return latest;
  };
  return {
    now,
    async within(tx) {
      const row = await tx.row<{ now: Temporal.Instant }>(MOMENT);
      return row?.now ?? now();
    },
    isHeld: () => state.heldAt !== null,
    async hold(at) {
      const reached = now();
      const heldAt = later(at, reached);
      await change({ ...state, heldAt: reached }, { ...state, heldAt });
      return heldAt;
    },
    isStopAsked: () => isStopAsked,
    async release() {
      const { heldAt } = state;
      if (heldAt === null) return;
      const released = { ...state, offsetMs: offsetFor(heldAt), heldAt: null };
      await change(released, released);
    },
    look,
    async restart(empty) {
      const born = realNow();
      const next = await db.transaction(async (tx) => {
        await empty(tx, born);
        await tx.run('UPDATE sandbox_clock SET life = life + 1, advance_from = NULL');
        await save(tx, { offsetMs: 0, heldAt: null });
        return load(tx);
      });
      known = ++begun; // a read in progress is of the old life
      adopt(next);
      return born;
    },
    async close() {
      clearInterval(timer);
      await unlisten();
    },
  };
}

/** Asks the advance in progress, in whichever process, to stop at the moment it has reached. */
export async function askToStop(db: Db): Promise<void> {
  await db.transaction((tx) =>
    tx.run('UPDATE sandbox_clock SET stop_asked = true WHERE held_at IS NOT NULL'),
  );
}

/** Returns the state; resumes a clock that is held although no advance is in progress. */
async function loadLeftAlone(tx: Tx): Promise<State> {
  const state = await load(tx);
  if (await isAdvancing(tx)) return state;
  await recordCutOff(tx, state.heldAt ?? plusMs(realNow(), state.offsetMs));
  if (state.heldAt === null) return state;
  const goingOn = { ...state, offsetMs: offsetFor(state.heldAt), heldAt: null };
  await save(tx, goingOn);
  return goingOn;
}

async function load(tx: Tx): Promise<State> {
  const row = await tx.row<{ offsetMs: number; heldAt: Temporal.Instant | null; life: number }>(
    'SELECT offset_ms, held_at, life FROM sandbox_clock',
  );
  return { offsetMs: row?.offsetMs ?? 0, heldAt: row?.heldAt ?? null, life: row?.life ?? 1 };
}

/** Stores the state; returns whether the advance was asked to stop. A clock that goes on forgets it. */
async function save(tx: Tx, { offsetMs, heldAt }: Omit<State, 'life'>): Promise<boolean> {
  const row = await tx.row<{ stopAsked: boolean }>(
    `UPDATE sandbox_clock SET offset_ms = $1, held_at = $2, stop_asked = stop_asked AND $2::timestamptz IS NOT NULL
     RETURNING stop_asked`,
    [offsetMs, heldAt],
  );
  await tx.rows('SELECT pg_notify($1, $2)', [CHANNEL, '']);
  return row?.stopAsked ?? false;
}
