import { type Api, type CallOptions, segment } from './api.ts';
import type { Schedule } from './schedules.ts';

/** The sandbox's business time. */
export interface SandboxClock {
  now: string;
}

/** How far the clock is moved: by an ISO 8601 duration (`P1M`), or to a moment. It never goes back. */
export type SandboxMove = { by: string } | { to: string };

/** How the customer decides. */
export interface SandboxDecision {
  decision: 'grant' | 'deny';
  /** The persona at the bank. Default: `alex`. */
  account?: string;
  bank_id?: string;
}

const MOVE_TIMEOUT_MS = 600_000;

/** The levers of the sandbox; none of them exists in the live service. */
export class Sandbox {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  clock(options?: CallOptions): Promise<SandboxClock> {
    return this.#api.send({ method: 'GET', path: '/sandbox/clock' }, options);
  }

  /** Moves the clock; all that falls due on the way happens first. A year takes its time: the limit is ten minutes. */
  advance(move: SandboxMove, options?: CallOptions): Promise<SandboxClock> {
    return this.#api.send(
      {
        method: 'POST',
        path: '/sandbox/clock/advance',
        body: move,
        onlyOnce: true,
        timeoutMs: MOVE_TIMEOUT_MS,
      },
      options,
    );
  }

  /** Plays the customer on the portal and at the bank. */
  consent(scheduleId: string, decision: SandboxDecision, options?: CallOptions): Promise<Schedule> {
    const path = `/sandbox/schedules/${segment(scheduleId)}/consent`;
    return this.#api.send({ method: 'POST', path, body: decision, onlyOnce: true }, options);
  }

  /** The accounts at the sandbox banks, and what each does. */
  accounts(options?: CallOptions): Promise<unknown> {
    return this.#api.send({ method: 'GET', path: '/sandbox/accounts' }, options);
  }
}
