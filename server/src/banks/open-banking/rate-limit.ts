import type { IncomingHttpHeaders } from 'node:http';

/** How much a bank still takes of us, as its answers say (`RateLimit: "default";r=0;t=30`, in the API from 4.0.1 on). */
export interface RateLimit {
  note(headers: IncomingHttpHeaders): void;
  /** Returns for how many seconds the bank takes nothing more; 0: it does. */
  restSeconds(): number;
}

/** Creates the limit of one bank; unlimited until an answer says otherwise. */
export function rateLimit(now: () => Temporal.Instant): RateLimit {
  let restsUntilMs = 0;
  return {
    note: (headers) => {
      const seconds = secondsLeft(String(headers.ratelimit ?? ''));
      restsUntilMs = Math.max(restsUntilMs, now().epochMilliseconds + seconds * 1000);
    },
    restSeconds: () => Math.max(0, Math.ceil((restsUntilMs - now().epochMilliseconds) / 1000)),
  };
}

/** Returns the longest time until a policy that is used up takes calls again; 0 where none is used up. */
function secondsLeft(header: string): number {
  const usedUp = header.split(',').filter((policy) => /;\s*r=0\s*(;|$)/.test(policy));
  return Math.max(0, ...usedUp.map((policy) => Number(/;\s*t=(\d{1,6})/.exec(policy)?.[1] ?? 0)));
}
