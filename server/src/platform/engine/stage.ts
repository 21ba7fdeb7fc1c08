import type { HasWork } from './due.ts';
import type { LeaseHandoff, OfMerchant } from './lease-handoff.ts';

/** Work that happens automatically: when it is due, and how to do a batch of it. */
export interface Stage extends HasWork {
  readonly name: string;
  readonly batch: number;
  /** Claims that are handed to this stage in memory. */
  readonly handed?: Pick<LeaseHandoff<OfMerchant>, 'isEmpty' | 'hasConsumer' | 'merchantIds'>;
  /** Whether the engine stops: what is claimed and not begun is then given back, and not begun any more. */
  readonly halt?: Halt;
  /** Claims and does up to `limit` pieces of work due at `now`; returns how many it claimed. */
  run(now: Temporal.Instant, limit: number): Promise<number>;
  /** How long to let work accumulate after a run that did not fill its batch, in milliseconds; absent: `GATHER_MS`. */
  readonly gatherMs?: number;
  /** Resolves when work that found no room may find some: a stage with nothing to do is not asked before. Absent: at once. */
  makesRoom?(): Promise<void>;
  /** Resolves when all work that `run` started has ended. Absent: `run` itself waits. */
  idle?(): Promise<void>;
  /** Whether calls are under way from which nothing follows at the same moment. Absent: something may. A drain can leave them. */
  isSending?(): boolean;
  /** Gives back the claims that were handed to this stage and not taken. Called when the engine has stopped. */
  handBack?(): Promise<void>;
}

/** Set while the engine stops or is stopped. */
export interface Halt {
  isHalted: boolean;
}
