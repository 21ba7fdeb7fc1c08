import { edges, type StateMachine, statuses } from '../../platform/state/state-machine.ts';
import { isBefore } from '../../platform/values/instants.ts';
import type { Ground } from '../acts/ground.ts';

/** `prepared`: nothing has happened. `waiting`: committed beyond the key's limits, a member of the team is asked. */
export type ActState = 'prepared' | 'waiting' | 'done' | 'declined' | 'replaced';

/** See docs/rules/agents.md#two-steps. */
export const PREPARED_ACTS: StateMachine<ActState> = {
  noun: 'prepared acts',
  table: 'prepared_acts',
  key: ['merchant_id', 'act_id'],
  states: statuses('prepared', 'waiting', 'done', 'declined', 'replaced'),
  begins: ['prepared'],
  edges: [
    { from: 'prepared', to: 'waiting', why: 'committed beyond the limits of the key' },
    { from: 'prepared', to: 'done', why: 'committed within the limits of the key' },
    { from: 'waiting', to: 'done', why: 'a member of the team approved it' },
    { from: 'waiting', to: 'declined', why: 'a member of the team declined it' },
    ...edges<ActState>(
      ['prepared', 'waiting'],
      'replaced',
      'the key prepared something else for the same purpose',
    ),
  ],
};

/** An act that an API key has prepared. What was prepared never changes. Instants are business time. */
export interface PreparedAct {
  merchantId: string;
  actId: string;
  keyId: string;
  /** The name that the agent gave itself; empty: none. */
  agent: string;
  operation: string;
  aboutId: string | null;
  /** Sealed; null once the act is over. */
  inputs: string | null;
  /** Of what is one act, however often it is prepared. */
  identity: Buffer;
  /** Of everything that it was asked with. */
  content: Buffer;
  ground: Ground;
  summary: string;
  amountPence: number;
  asksCustomer: boolean;
  status: ActState;
  objectId: string | null;
  /** The member who approved or declined it. */
  decidedBy: string | null;
  createdAt: Temporal.Instant;
  expiresAt: Temporal.Instant;
  endedAt: Temporal.Instant | null;
}

/** How long a prepared act can be committed. */
export const PREPARED_FOR = Temporal.Duration.from({ hours: 1 });
/** How long an act waits for a member of the team. */
export const WAITS_FOR = Temporal.Duration.from({ hours: 72 });
/** How long the same request is the same act, where it names no purpose. */
const SAME_FOR = Temporal.Duration.from({ hours: 24 });

/** Whether it was neither committed nor decided in time. */
export const isExpired = (
  { status, expiresAt }: Pick<PreparedAct, 'status' | 'expiresAt'>,
  now: Temporal.Instant,
): boolean => (status === 'prepared' || status === 'waiting') && !isBefore(now, expiresAt);

/**
 * Returns which of the acts with one identity decides what preparing it again means: the one that can still be committed,
 * else one that is done, else the last. Their ids say nothing of their order: requests that began earlier may store later.
 */
export function decisiveOf(acts: readonly PreparedAct[]): PreparedAct | null {
  const latest = (some: readonly PreparedAct[]): PreparedAct | null =>
    some.toSorted(
      (a, b) => (b.endedAt?.epochMilliseconds ?? 0) - (a.endedAt?.epochMilliseconds ?? 0),
    )[0] ?? null;
  return (
    acts.find(({ endedAt }) => endedAt === null) ??
    latest(acts.filter(({ status }) => status === 'done')) ??
    latest(acts)
  );
}

/**
 * Returns what preparing means beside an earlier act with the same identity: another act (`new`), the earlier one (`same`),
 * an act in its place (`replace`), or a refusal, because its purpose is fulfilled (`done`).
 */
export function besideEarlier(
  earlier: PreparedAct | null,
  { content, hasPurpose, now }: { content: Buffer; hasPurpose: boolean; now: Temporal.Instant },
): 'new' | 'same' | 'replace' | 'done' {
  if (earlier === null || earlier.status === 'replaced') return 'new';
  const isSame = earlier.content.equals(content);
  // One that has expired is replaced too: another process, whose clock is behind, could still commit it.
  if (earlier.endedAt === null) return isSame && !isExpired(earlier, now) ? 'same' : 'replace';
  const isRecent = isBefore(now, earlier.endedAt.add(SAME_FOR));
  if (earlier.status === 'declined') return isSame && isRecent ? 'same' : 'new';
  if (hasPurpose) return isSame ? 'same' : 'done';
  return isRecent ? 'same' : 'new';
}
