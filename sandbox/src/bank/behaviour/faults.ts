import type { Quirk } from './quirks.ts';

/** A fault in transit: a gateway's bare status, or a lost request or response. */
export type Fault = number | 'lost_request' | 'lost_answer';

/** A fault that was ordered for the next calls of one kind. */
export interface PlannedFault {
  /** Method and path as in the standard, e.g. `GET /domestic-vrp-consents/:id`. */
  call: string;
  fault: Fault;
  times: number;
}

export interface Faults {
  /**
   * Returns the fault of the next call of this kind, or null. `scope` names whose calls are counted together: a bank's, or one
   * account's.
   */
  next(bankId: string, call: string, quirks: readonly ScopedQuirk[]): Fault | null;
  /** Returns the faults ordered for a bank that have not occurred yet. */
  planned(bankId: string): PlannedFault[];
  /** Orders faults for a bank's next calls, replacing those ordered before. */
  plan(bankId: string, faults: readonly PlannedFault[]): void;
  /** Clears the ordered faults and the counts. */
  clear(): void;
}

export interface ScopedQuirk {
  scope: string;
  quirk: Quirk;
}

/** One call in this many of a kind, always the last, has the fault. */
const ONE_CALL_IN = 3;

const UNAVAILABLE = 503;
const BARE_STATUSES = [400, 403, 404, 502] as const;

/** Decides by counting the calls of each kind, so that the same calls meet the same faults on every run. */
export function createFaults(): Faults {
  const counts = new Map<string, number>();
  const plans = new Map<string, PlannedFault[]>();
  const count = (key: string): number => {
    const n = (counts.get(key) ?? 0) + 1;
    counts.set(key, n);
    return n;
  };
  const takePlanned = (bankId: string, call: string): Fault | null => {
    const plan = plans.get(bankId)?.find((one) => one.call === call && one.times > 0);
    if (!plan) return null;
    plan.times -= 1;
    return plan.fault;
  };
  return {
    next: (bankId, call, quirks) => {
      const ordered = takePlanned(bankId, call);
      if (ordered !== null) return ordered;
      const faults = quirks.flatMap(({ scope, quirk }) =>
        isAboutCalls(quirk) ? faultOf(quirk, count(`${scope} ${quirk} ${call}`)) : [],
      );
      return faults[0] ?? null;
    },
    planned: (bankId) => (plans.get(bankId) ?? []).filter(({ times }) => times > 0),
    plan: (bankId, faults) => {
      plans.set(
        bankId,
        faults.map((one) => ({ ...one })),
      );
    },
    clear: () => {
      counts.clear();
      plans.clear();
    },
  };
}

const CALL_QUIRKS = ['unavailable', 'bare_errors', 'loses_requests', 'loses_answers'] as const;
type CallQuirk = (typeof CALL_QUIRKS)[number];

function isAboutCalls(quirk: Quirk): quirk is CallQuirk {
  return CALL_QUIRKS.some((one) => one === quirk);
}

/** Returns the fault of the n-th call of a kind; most have none. */
function faultOf(quirk: CallQuirk, n: number): Fault[] {
  if (quirk === 'unavailable') return [UNAVAILABLE];
  if (n % ONE_CALL_IN !== 0) return [];
  if (quirk === 'loses_requests') return ['lost_request'];
  if (quirk === 'loses_answers') return ['lost_answer'];
  return [BARE_STATUSES[(n / ONE_CALL_IN - 1) % BARE_STATUSES.length] ?? 502];
}
