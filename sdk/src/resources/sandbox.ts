import { type Api, type CallOptions, segment } from '../api.ts';
import { refusalOf } from '../errors.ts';
import { type Reply, replyOf, type WithResponse } from '../reply.ts';
import { pause } from '../retries.ts';
import type {
  SandboxAccount,
  SandboxBank,
  SandboxBankBehaviour,
  SandboxClock,
  SandboxDecided,
  SandboxDecision,
  SandboxFault,
  SandboxIssuer,
  SandboxMoved,
} from '../types.ts';

/** How far to move the clock: by an ISO 8601 duration (`P1M`), or to a moment. It never goes back. */
export type SandboxMove = { by: string } | { to: string };

export interface AdvanceOptions extends CallOptions {
  /** Gets the clock while it is moved, and once it is there. */
  onProgress?: (clock: SandboxClock) => void;
}

const SHORTEST_POLL_MS = 50;
const LONGEST_POLL_MS = 500;

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
   * Moves the clock forward, and follows it until it is there. Everything that falls due on the way happens in order, and is in
   * the result. A year takes a while: `onProgress` gets the clock now and then, with what it waits for. Throws 409 `clock_busy`,
   * and 500 `internal_error` with the cause where something ended it early. An aborted `signal` ends the following, not the move.
   */
  advance(move: SandboxMove, options?: AdvanceOptions): Reply<SandboxMoved> {
    return replyOf(this.#follow(move, options));
  }

  async #follow(
    move: SandboxMove,
    { onProgress, ...options }: AdvanceOptions = {},
  ): Promise<WithResponse<SandboxMoved>> {
    const path = '/sandbox/clock/advance';
    const body = { ...move, wait: false };
    await this.#api.send({ method: 'POST', path, body, onlyOnce: true }, options);
    for (let wait = SHORTEST_POLL_MS; ; wait = Math.min(wait * 2, LONGEST_POLL_MS)) {
      const clock = await this.clock(options);
      onProgress?.(clock);
      if (!clock.advancing) break;
      await pause(wait, options.signal);
    }
    const ended = await this.lastMove(options).withResponse();
    const { error: message } = ended.data;
    if (message === null) return ended;
    const { requestId } = ended.response;
    throw refusalOf({ code: 'internal_error', message, status: 500, requestId });
  }

  /** Returns the last move of the clock, with what has happened to you in it; also of one that is under way. */
  lastMove(options?: CallOptions): Reply<SandboxMoved> {
    return this.#api.send({ method: 'GET', path: '/sandbox/clock/advance' }, options);
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
