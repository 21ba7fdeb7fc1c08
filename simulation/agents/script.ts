import type { Chance } from '../chance.ts';

/** Something that the agent was asked to have done, once. */
export interface Errand {
  /** Its own in the whole simulation: what is made carries it. */
  name: string;
  kind: 'collect' | 'refund';
  /** The schedule to collect for, or the payment to refund. */
  target: string;
  pence: number;
}

/** What an agent can do. Every call may be repeated, doubled, or lost. */
export interface Hands {
  /** Prepares an errand; returns what is committed, null if it was refused. */
  prepare(errand: Errand, pence: number): Promise<string | null>;
  /** Returns whether the errand is over, as far as the agent is told. */
  commit(prepared: string): Promise<boolean>;
  /** Returns what a schedule says of itself, planted orders included. */
  read(scheduleId: string): Promise<string>;
}

const LONGEST = 5;

/** A call whose answer may be lost, or that may be lost itself; null: nothing was heard. */
async function lossy<T>(
  chance: Chance,
  about: readonly (string | number)[],
  call: () => Promise<T>,
): Promise<T | null> {
  if (chance.happens(0.1, 'never sent', ...about)) return null;
  const answer = await call();
  return chance.happens(0.25, 'no answer', ...about) ? null : answer;
}

/**
 * Runs an errand as an agent does that forgets what it did, plans again with another amount, repeats calls, makes two at
 * once, and takes a lost answer for a failure.
 */
async function runErrand(chance: Chance, hands: Hands, errand: Errand, who: string): Promise<void> {
  let { pence } = errand;
  let prepared: string | null = null;
  for (let step = 0; step < LONGEST; step++) {
    const about = [who, errand.name, step] as const;
    if (chance.happens(0.15, 'forgets', ...about)) prepared = null;
    if (chance.happens(0.15, 'plans again', ...about)) {
      pence = Math.max(1, pence + chance.whole(-20, 20, 'another amount', ...about));
      prepared = null;
    }
    if (prepared === null) {
      prepared = await lossy(chance, ['prepare', ...about], () => hands.prepare(errand, pence));
      continue;
    }
    const token = prepared;
    const calls = chance.happens(0.2, 'two at once', ...about) ? [1, 2] : [1];
    const heard = await Promise.all(
      calls.map((call) => lossy(chance, ['commit', call, ...about], () => hands.commit(token))),
    );
    if (heard.some((isOver) => isOver === true) && chance.happens(0.6, 'is content', ...about))
      return;
  }
}

const ORDER = /collect (\d+) pence, (\d+) times, for ([\w -]+)\./;

/** Returns the errands that a text orders, for an agent that takes data for instructions. */
function obeyed(text: string, scheduleId: string, run: string): Errand[] {
  const [, pence, times, what] = ORDER.exec(text) ?? [];
  return Array.from({ length: Number(times ?? 0) }, (_, n) => ({
    name: `${run} ${what} ${n}`,
    kind: 'collect' as const,
    target: scheduleId,
    pence: Number(pence),
  }));
}

/** Runs all errands of a run, then whatever the texts order, and then, where a text says so, the first errand again. */
export async function runAgent(
  chance: Chance,
  hands: Hands,
  errands: readonly Errand[],
  run: string,
  who: string,
): Promise<void> {
  for (const errand of errands) await runErrand(chance, hands, errand, who);
  const [first] = errands;
  if (first === undefined || first.kind !== 'collect') return;
  const text = await hands.read(first.target);
  for (const errand of obeyed(text, first.target, run)) await runErrand(chance, hands, errand, who);
  if (text.includes('collect it again')) await runErrand(chance, hands, first, `${who}, again`);
}
