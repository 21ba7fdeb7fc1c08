import { type Api, type CallOptions, segment } from './api.ts';

/** The sandbox's business time. */
export interface SandboxClock {
  now: string;
  /** It is being moved forward; else it runs with real time. */
  advancing: boolean;
}

/** How far the clock is moved: by an ISO 8601 duration (`P1M`), or to a moment. It never goes back. */
export type SandboxMove = { by: string } | { to: string };

/** Something that happened to you while the clock was moved. `at` is the sandbox's time. */
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

/** What the move of the clock brought, in its order: the last 10,000 happenings, `truncated` where there were more. */
export interface SandboxMoved {
  from: string;
  to: string;
  happened: SandboxHappening[];
  truncated: boolean;
}

/** How the customer decides. */
export interface SandboxDecision {
  decision: 'grant' | 'deny';
  /** Who decides: the name of a persona, such as `alex`, or an account number. */
  account: string;
  /** Default: the first bank. */
  bank_id?: string;
}

/** The outcome for the consent and its schedule. */
export interface SandboxDecided {
  consent_status: string;
  schedule_status: string;
  /** Where the customer was sent; null: the closing page of the portal. */
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
  /** What happens when this account is to pay. */
  summary: string;
  balance: number;
  payday: { day: number; amount: number; next: string | null } | null;
}

export interface SandboxBank {
  bank_id: string;
  name: string;
  summary: string;
  app_url: string;
  /** What the whole bank does besides its accounts. */
  behaviours: string[];
  accounts: SandboxAccount[];
}

/** How the sandbox's e-money issuer behaves: the modes that are on, and all that there are. */
export interface SandboxIssuer {
  modes: string[];
  known: { mode: string; summary: string }[];
}

/** A fault of the next calls of one kind: a bare HTTP status, or the call or its answer is lost. */
export interface SandboxFault {
  /** Method and path as in the standard, such as `GET /domestic-vrp-consents/:id`. */
  call: string;
  fault: number | 'lost_request' | 'lost_answer';
  /** Default: 1. */
  times?: number;
}

/** What a whole bank of the sandbox does. */
export interface SandboxBankBehaviour {
  bank_id: string;
  name: string;
  behaviours: string[];
  /** The faults that have not happened yet. */
  next_calls: SandboxFault[];
}

const MOVE_TIMEOUT_MS = 600_000;

/** The levers of the sandbox. None of them exists in the live service, and none takes an `Idempotency-Key`. */
export class Sandbox {
  readonly #api: Api;

  constructor(api: Api) {
    this.#api = api;
  }

  clock(options?: CallOptions): Promise<SandboxClock> {
    return this.#api.send({ method: 'GET', path: '/sandbox/clock' }, options);
  }

  /**
   * Moves the clock; all that falls due on the way happens in its order, and is in the answer. A year takes its time:
   * the limit is ten minutes. Throws 409 `clock_busy`.
   */
  advance(move: SandboxMove, options?: CallOptions): Promise<SandboxMoved> {
    const path = '/sandbox/clock/advance';
    const timeoutMs = MOVE_TIMEOUT_MS;
    return this.#api.send({ method: 'POST', path, body: move, onlyOnce: true, timeoutMs }, options);
  }

  /**
   * Resets the whole sandbox, for everybody in it: schedules, customers, payments, wallets, events and logs are gone,
   * at the sandbox's banks too, and the clock is back at real time. Merchants, teams, API keys and webhook endpoints stay.
   * Answers the clock as it is then. Throws 409 `clock_busy`.
   */
  reset(options?: CallOptions): Promise<SandboxClock> {
    return this.#api.send({ method: 'POST', path: '/sandbox/reset', onlyOnce: true }, options);
  }

  /** Plays the customer on the portal and at the bank. */
  consent(
    scheduleId: string,
    decision: SandboxDecision,
    options?: CallOptions,
  ): Promise<SandboxDecided> {
    const path = `/sandbox/schedules/${segment(scheduleId)}/consent`;
    return this.#api.send({ method: 'POST', path, body: decision, onlyOnce: true }, options);
  }

  /** The accounts at the sandbox banks, and what each does. */
  accounts(options?: CallOptions): Promise<{ banks: SandboxBank[] }> {
    return this.#api.send({ method: 'GET', path: '/sandbox/accounts' }, options);
  }

  /** How the e-money issuer behaves. */
  issuer(options?: CallOptions): Promise<SandboxIssuer> {
    return this.#api.send({ method: 'GET', path: '/sandbox/issuer' }, options);
  }

  /** Switches exactly these modes of the e-money issuer on. Throws 400 for one that there is not. */
  changeIssuer(
    changes: { modes: readonly string[] },
    options?: CallOptions,
  ): Promise<SandboxIssuer> {
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
  ): Promise<SandboxAccount> {
    const path = `/sandbox/accounts/${segment(bankId)}/${segment(account)}`;
    return this.#api.send({ method: 'PUT', path, body: changes, onlyOnce: true }, options);
  }

  /** Sets what a whole bank does, for every account there, or orders faults for its next calls. */
  changeBank(
    bankId: string,
    changes: { behaviours?: string[]; next_calls?: SandboxFault[] },
    options?: CallOptions,
  ): Promise<SandboxBankBehaviour> {
    const path = `/sandbox/banks/${segment(bankId)}`;
    return this.#api.send({ method: 'PUT', path, body: changes, onlyOnce: true }, options);
  }
}
