import { type Api, type CallOptions, segment } from '../api.ts';
import type { Reply } from '../reply.ts';

/** The sandbox's business time. */
export interface SandboxClock {
  now: string;
  /** True while it is being moved forward; otherwise it runs in real time. */
  advancing: boolean;
}

/** How far to move the clock: by an ISO 8601 duration (`P1M`), or to a moment. It never goes back. */
export type SandboxMove = { by: string } | { to: string };

/** Something that happened to the merchant while the clock was moved. `at` is sandbox time. */
export type SandboxHappening = { at: string } & (
  | {
      kind: 'state_change';
      object_id: string;
      schedule_id: string | null;
      from: string | null;
      to: string;
      reason: string;
    }
  | { kind: 'event'; event_id: string; event: string; subject_id: string }
  | {
      kind: 'delivery_attempt';
      event_id: string;
      endpoint_id: string;
      number: number;
      response_status: number | null;
      error: string | null;
    }
);

/** What happened during the move, in order: the last 10,000 entries; `truncated` if there were more. */
export interface SandboxMoved {
  from: string;
  to: string;
  happened: SandboxHappening[];
  truncated: boolean;
  /** It was asked to stop, and did so before its target: `to` is where the clock stands. */
  stopped: boolean;
}

/** How the customer decides. */
export interface SandboxDecision {
  decision: 'grant' | 'deny';
  /** Who decides: the name of a persona, such as `alex`, or an account number. */
  account?: string;
  /** Default: the first bank. */
  bank_id?: string;
}

/** The outcome for the consent and its schedule. */
export interface SandboxDecided {
  consent_status: string;
  schedule_status: string;
  /** Where the customer was redirected; null: the closing page of the portal. */
  returned_to: string | null;
}

/** An account at a bank of the sandbox; amounts are in pence. */
export interface SandboxAccount {
  /** The name to log in with at the bank. */
  account: string;
  holder: string;
  nickname: string;
  sort_code: string;
  account_number: string;
  behaviour: string;
  /** What happens when a payment is collected from this account. */
  summary: string;
  balance: number;
  payday: { day: number; amount: number; next: string | null } | null;
}

export interface SandboxBank {
  bank_id: string;
  name: string;
  summary: string;
  app_url: string;
  /** Behaviours of the whole bank, in addition to those of its accounts. */
  behaviours: string[];
  accounts: SandboxAccount[];
}

/** The behaviour of the sandbox's e-money issuer: the modes that are on, and all available modes. */
export interface SandboxIssuer {
  modes: string[];
  known: { mode: string; summary: string }[];
}

/** A fault for the next calls of one kind: a bare HTTP status, or the request or its response is lost. */
export interface SandboxFault {
  /** Method and path as in the standard, such as `GET /domestic-vrp-consents/:id`. */
  call: string;
  fault: number | 'lost_request' | 'lost_answer';
  /** Default: 1. */
  times?: number;
}

/** The behaviour of a whole sandbox bank. */
export interface SandboxBankBehaviour {
  bank_id: string;
  name: string;
  behaviours: string[];
  /** The ordered faults that have not occurred yet. */
  next_calls: SandboxFault[];
}

const MOVE_TIMEOUT_MS = 600_000;

/** Controls of the sandbox. None exists in the live service, and none accepts an `Idempotency-Key`. */
export class Sandbox {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  clock(options?: CallOptions): Reply<SandboxClock> {
    return this.#api.send({ method: 'GET', path: '/sandbox/clock' }, options);
  }

  /**
   * Moves the clock forward. Everything that falls due on the way happens in order, and is in the response. A year takes a
   * while: the timeout is ten minutes. Throws 409 `clock_busy`.
   */
  advance(move: SandboxMove, options?: CallOptions): Reply<SandboxMoved> {
    const path = '/sandbox/clock/advance';
    const timeoutMs = MOVE_TIMEOUT_MS;
    return this.#api.send({ method: 'POST', path, body: move, onlyOnce: true, timeoutMs }, options);
  }

  /** Has an advance in progress end at the moment it has reached; without one, nothing changes. */
  stop(options?: CallOptions): Reply<SandboxClock> {
    return this.#api.send({ method: 'POST', path: '/sandbox/clock/stop', onlyOnce: true }, options);
  }

  /**
   * Resets the whole sandbox, for all merchants: deletes schedules, customers, payments, wallets, events and logs, including
   * those at the sandbox's banks, and sets the clock back to real time. Merchants, teams, API keys and webhook endpoints remain.
   * Returns the clock after the reset. Throws 409 `clock_busy`.
   */
  reset(options?: CallOptions): Reply<SandboxClock> {
    return this.#api.send({ method: 'POST', path: '/sandbox/reset', onlyOnce: true }, options);
  }

  /** Acts as the customer on the portal and at the bank. */
  consent(
    scheduleId: string,
    decision: SandboxDecision,
    options?: CallOptions,
  ): Reply<SandboxDecided> {
    const path = `/sandbox/schedules/${segment(scheduleId)}/consent`;
    return this.#api.send({ method: 'POST', path, body: decision, onlyOnce: true }, options);
  }

  /** Returns the accounts at the sandbox banks, and how each behaves. */
  accounts(options?: CallOptions): Reply<{ banks: SandboxBank[] }> {
    return this.#api.send({ method: 'GET', path: '/sandbox/accounts' }, options);
  }

  /** Returns how the e-money issuer behaves. */
  issuer(options?: CallOptions): Reply<SandboxIssuer> {
    return this.#api.send({ method: 'GET', path: '/sandbox/issuer' }, options);
  }

  /** Sets the modes of the e-money issuer: exactly these are on. Throws 400 for an unknown mode. */
  changeIssuer(changes: { modes: readonly string[] }, options?: CallOptions): Reply<SandboxIssuer> {
    return this.#api.send(
      { method: 'PUT', path: '/sandbox/issuer', body: changes, onlyOnce: true },
      options,
    );
  }

  /** Sets an account's balance (in pence) or its behaviour. `account`: a persona's name, or an account number. */
  changeAccount(
    bankId: string,
    account: string,
    changes: { balance?: number; behaviour?: string },
    options?: CallOptions,
  ): Reply<SandboxAccount> {
    const path = `/sandbox/accounts/${segment(bankId)}/${segment(account)}`;
    return this.#api.send({ method: 'PUT', path, body: changes, onlyOnce: true }, options);
  }

  /** Sets how a whole bank behaves, for all of its accounts, or orders faults for its next calls. */
  changeBank(
    bankId: string,
    changes: { behaviours?: string[]; next_calls?: SandboxFault[] },
    options?: CallOptions,
  ): Reply<SandboxBankBehaviour> {
    const path = `/sandbox/banks/${segment(bankId)}`;
    return this.#api.send({ method: 'PUT', path, body: changes, onlyOnce: true }, options);
  }
}
