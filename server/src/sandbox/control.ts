import { Agent, request } from 'undici';
import type { LimitPeriod } from '../banks/bank.ts';
import { invalid } from '../platform/values/errors.ts';
import { compareInstants } from '../platform/values/instants.ts';
import { errorMessage } from '../platform/values/thrown.ts';

/** A bank of the sandbox as its directory publishes it. */
export interface ListedBank {
  bank_id: string;
  name: string;
  summary: string;
  issuer: string;
  resource_base: string;
  org_id: string;
  jwks_uri: string;
  sort_code: string;
  app_url: string;
  periods: LimitPeriod[];
  token_auth: 'private_key_jwt' | 'tls_client_auth';
}

/** A customer's account at a bank of the sandbox. */
export interface SandboxAccount {
  bank: string;
  account_number: string;
  sort_code: string;
  login: string;
  holder: string;
  nickname: string;
  /** What happens when it has to pay; `summary` explains it. */
  behaviour: string;
  summary: string;
  balance_pence: number;
  payday_day: number | null;
  payday_pence: number | null;
  next_payday: string | null;
}

export interface AccountChange {
  /** In pence. */
  balance?: number;
  behaviour?: string;
}

export interface IssuerModes {
  modes: string[];
  /** Mode → what it does. */
  known: Record<string, string>;
}

/** The behaviour of a whole bank of the sandbox, and the faults planned for its next calls. */
export interface BankBehaviour {
  bank_id: string;
  name: string;
  behaviours: string[];
  next_calls: PlannedFault[];
}

/** A fault of the next calls of one kind: a bare HTTP status, or the call or its response is lost. */
export interface PlannedFault {
  /** Method and path as in the standard, e.g. `GET /domestic-vrp-consents/:id`. */
  call: string;
  fault: number | 'lost_request' | 'lost_answer';
  times?: number;
}

export type Partner = 'bank' | 'issuer';

/** The levers of the sandbox's partners. Every method throws `PartnerError`. */
export interface PartnerControl {
  /**
   * Sets both partners' clocks, after they have done all work due up to `now` and notified us. Returns when something is next due
   * there.
   */
  setClock(now: Temporal.Instant, running: boolean): Promise<Temporal.Instant | null>;
  banks(): Promise<ListedBank[]>;
  accounts(): Promise<SandboxAccount[]>;
  bankBehaviours(): Promise<BankBehaviour[]>;
  /** Sets how a whole bank behaves, or plans faults for its next calls. Null: there is no such bank. */
  changeBank(
    bankId: string,
    change: Partial<Pick<BankBehaviour, 'behaviours' | 'next_calls'>>,
  ): Promise<BankBehaviour | null>;
  /** Null: there is no such account. */
  changeAccount(
    bankId: string,
    accountNumber: string,
    change: AccountChange,
  ): Promise<SandboxAccount | null>;
  /** Returns how the e-money issuer behaves: the modes that are on, and what each known one does. */
  issuerModes(): Promise<IssuerModes>;
  /** Switches on exactly these modes. Throws `PartnerError` with status 400 for one that the issuer does not know. */
  setIssuerModes(modes: readonly string[]): Promise<IssuerModes>;
  /** Empties the partners' books and restarts them at this moment. */
  reset(now: Temporal.Instant, running: boolean): Promise<void>;
  /** Returns a partner's books: `payments`, `consents`, `accounts` of the bank; `wallets`, `movements` of the issuer. */
  books(partner: Partner, name: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A partner did not respond, or refused: then with `status` and its message. */
export class PartnerError extends Error {
  override readonly name = 'PartnerError';
  readonly status: number | null;

  constructor(message: string, status: number | null) {
    super(message);
    this.status = status;
  }
}

/** Throws 400 naming a field if a partner refused what the field wants; any other error as it is. */
export function throwRefused(error: unknown, fieldOf: (message: string) => string): never {
  if (!(error instanceof PartnerError) || error.status !== 400) throw error;
  throw invalid({ [fieldOf(error.message)]: error.message });
}

/** Setting the clock waits for all work that is due on the way. */
const TIMEOUT_MS = 120_000;

type Body = Record<string, unknown>;

/** Makes a client of the control endpoints. */
export function makePartnerControl(at: {
  bankUrl: string;
  issuerUrl: string;
  secret: string;
}): PartnerControl {
  const agent = new Agent({ headersTimeout: TIMEOUT_MS, bodyTimeout: TIMEOUT_MS });
  const call = async (
    partner: Partner,
    method: 'GET' | 'PUT' | 'POST',
    path: string,
    body?: Body,
  ) => {
    const url = (partner === 'bank' ? at.bankUrl : at.issuerUrl) + path;
    const answer = await request(url, {
      dispatcher: agent,
      method,
      headers: {
        'x-sandbox-secret': at.secret,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
      .then(async (reply) => ({ status: reply.statusCode, text: await reply.body.text() }))
      .catch((error: unknown) => {
        const why = errorMessage(error);
        throw new PartnerError(`The sandbox ${partner} does not answer: ${why}`, null);
      });
    if (answer.status !== 200) throw refusal(partner, answer);
    return JSON.parse(answer.text) as Body;
  };
  const setOne = async (partner: Partner, now: Temporal.Instant, running: boolean) => {
    const { next_due: due } = await call(partner, 'PUT', '/sandbox/clock', {
      now: now.toString(),
      running,
    });
    return typeof due === 'string' ? [Temporal.Instant.from(due)] : [];
  };
  return {
    async setClock(now, running) {
      // The issuer first: it must already be at this moment when the bank's calls reach it. And once more, because its notices of
      // what the bank paid may be on their way to us: it answers when they have arrived.
      await setOne('issuer', now, running);
      const due = [
        ...(await setOne('bank', now, running)),
        ...(await setOne('issuer', now, running)),
      ];
      return due.sort(compareInstants)[0] ?? null;
    },
    banks: async () => (await call('bank', 'GET', '/banks')) as unknown as ListedBank[],
    accounts: async () =>
      (await call('bank', 'GET', '/sandbox/accounts')).accounts as SandboxAccount[],
    bankBehaviours: async () =>
      (await call('bank', 'GET', '/sandbox/banks')).banks as BankBehaviour[],
    async changeBank(bankId, change) {
      const path = `/sandbox/banks/${encodeURIComponent(bankId)}`;
      return nullWhereMissing(call('bank', 'PUT', path, { ...change }));
    },
    async changeAccount(bankId, accountNumber, change) {
      const path = `/sandbox/accounts/${encodeURIComponent(bankId)}/${encodeURIComponent(accountNumber)}`;
      return nullWhereMissing(call('bank', 'PUT', path, { ...change }));
    },
    issuerModes: async () =>
      (await call('issuer', 'GET', '/sandbox/modes')) as unknown as IssuerModes,
    setIssuerModes: async (modes) =>
      (await call('issuer', 'PUT', '/sandbox/modes', { modes })) as unknown as IssuerModes,
    async reset(now, running) {
      await call('issuer', 'POST', '/sandbox/reset', { now: now.toString(), running });
      await call('bank', 'POST', '/sandbox/reset', { now: now.toString(), running });
    },
    books: async (partner, name) => (await call(partner, 'GET', `/sandbox/${name}`))[name],
    close: () => agent.close(),
  };
}

async function nullWhereMissing<T>(answer: Promise<Body>): Promise<T | null> {
  try {
    return (await answer) as T;
  } catch (error) {
    if (error instanceof PartnerError && error.status === 404) return null;
    throw error;
  }
}

function refusal(partner: Partner, answer: { status: number; text: string }): PartnerError {
  const said = messageIn(answer.text) ?? `answered ${answer.status}`;
  return new PartnerError(`The sandbox ${partner}: ${said}`, answer.status);
}

/** Returns the sentence of a refusal: the first text under `error` or `message`, however deep. */
function messageIn(text: string): string | null {
  let said: string | null = null;
  try {
    JSON.parse(text, (name, value: unknown) => {
      if ((name === 'error' || name === 'message') && typeof value === 'string') said ??= value;
      return value;
    });
  } catch {
    return null; // no JSON: what is in it is not for callers
  }
  return said;
}
