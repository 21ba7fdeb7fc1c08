import { randomUUID } from 'node:crypto';
import { PROVIDERS } from './providers.ts';
import { invalidParameters, invalidState, notFound, type Reply } from './replies.ts';
import {
  FlowRequest,
  faultsIn,
  type MandateBody,
  MandateRequest,
  type PaymentBody,
  PaymentRequest,
  SearchRequest,
} from './requests.ts';

/** How the account behind a mandate behaves. */
export type VrpCustomer = 'ordinary' | 'penniless' | 'unanswered' | 'refused_by_bank';

interface Mandate {
  id: string;
  userId: string;
  status: string;
  asked: MandateBody;
  made: Temporal.Instant;
  customer: VrpCustomer;
  /** What its status adds to the answer. */
  more: Record<string, unknown>;
}

interface Payment {
  id: string;
  mandate: Mandate;
  status: string;
  asked: PaymentBody;
  made: Temporal.Instant;
  more: Record<string, unknown>;
}

/** Something that TrueLayer tells of, before it is signed. */
export type Told = Record<string, unknown> & { type: string };

export interface Asked {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
}

const PERIODS: Readonly<Record<string, Temporal.DurationLike>> = {
  day: { days: 1 },
  week: { days: 7 },
  fortnight: { days: 14 },
  month: { months: 1 },
  half_year: { months: 6 },
  year: { years: 1 },
};

/** The part of the fake TrueLayer that makes variable recurring payments; it plays the banks itself. */
export class FakeVrp {
  /** How long a payment takes. */
  executesAfter: Temporal.DurationLike = { seconds: 2 };
  /** Whether the client has a licence of its own: then it names references, and no customers. */
  hasOwnLicence = false;
  /** Whether an order beyond a limit is a payment that has failed, or none. Which of them is documented nowhere. */
  failsBeyondLimits = false;
  /** What a mandate's authorisation begins with; anything but a redirect has no page. */
  nextStep = 'redirect';
  returnUris = ['https://recollect.example/consent/callback'];
  providers = PROVIDERS;
  readonly mandates = new Map<string, Mandate>();
  readonly payments = new Map<string, Payment>();
  /** Money arrives at an account elsewhere. */
  onCredit: (accountNumber: string, pence: number, payment: Payment) => void = () => undefined;
  onTold: (told: Told) => void = () => undefined;
  readonly #now: () => Temporal.Instant;

  constructor(now: () => Temporal.Instant) {
    this.#now = now;
  }

  /** Answers a request below `/v3`. */
  answer({ method, path, query, body }: Asked): Reply {
    const [, first = '', id = '', what = ''] = path.split('/');
    switch (`${method} /${first}/${what === '' ? '' : '…/'}${what}`) {
      case 'POST /payments-providers/':
        return id === 'search' ? this.#search(body) : notFound('Path');
      case 'POST /mandates/':
        return this.#ask(body);
      case 'GET /mandates/':
        return this.#of(id, (mandate) => ({ status: 200, body: mandateJson(mandate) }));
      case 'POST /mandates/…/authorization-flow':
        return this.#of(id, (mandate) => this.#begin(mandate, body));
      case 'POST /mandates/…/revoke':
        return this.#of(id, (mandate) => this.#revoke(mandate));
      case 'GET /mandates/…/funds':
        return this.#of(id, (mandate) => this.#funds(mandate, query));
      case 'POST /payments/':
        return this.#order(body);
      case 'GET /payments/':
        return this.#read(id);
      default:
        return notFound('Path');
    }
  }

  /** The customer opens the page of their bank, and agrees or declines. */
  decide(url: string, customer: VrpCustomer, agrees: boolean): void {
    const mandate = this.mandateOf(new URL(url).searchParams.get('mandate') ?? '');
    mandate.customer = customer;
    if (agrees && customer !== 'refused_by_bank') {
      const remitter = {
        account_holder_name: 'Ada Moss',
        account_identifier: { type: 'iban', iban: 'GB53CLRB04066200002723' },
      };
      this.#become(mandate, 'authorized', { authorized_at: this.#time(), remitter });
      return;
    }
    const failure_reason = agrees ? 'provider_rejected' : 'authorization_failed';
    const failure = { failure_stage: 'authorizing', failure_reason };
    this.#become(mandate, 'failed', { failed_at: this.#time(), ...failure });
  }

  /** The customer withdraws the mandate at the bank. */
  withdraw(mandateId: string): void {
    this.#end(this.mandateOf(mandateId), 'provider');
  }

  mandateOf(id: string): Mandate {
    const mandate = this.mandates.get(id);
    if (mandate === undefined) throw new Error(`no mandate ${id}`);
    return mandate;
  }

  /** Whether the answer to an order under this mandate is lost the first time. */
  isUnanswered(mandateId: unknown): boolean {
    return this.mandates.get(String(mandateId))?.customer === 'unanswered';
  }

  /** Ends the payments that have been under way for long enough. */
  execute(): void {
    for (const payment of this.payments.values()) {
      const at = payment.made.add(this.executesAfter);
      if (payment.status !== 'authorized') continue;
      if (Temporal.Instant.compare(at, this.#now()) <= 0) this.#finish(payment);
    }
  }

  #finish(payment: Payment): void {
    const { mandate, asked, id } = payment;
    const { mandate_id, reference } = asked.payment_method;
    const about = {
      payment_id: id,
      payment_method: { type: 'mandate', mandate_id, reference },
      metadata: asked.metadata,
    };
    if (mandate.customer === 'penniless') {
      payment.status = 'failed';
      const failure = { failure_stage: 'authorized', failure_reason: 'provider_rejected' };
      payment.more = { failed_at: this.#time(), ...failure };
      this.onTold({ type: 'payment_failed', ...about, ...payment.more });
      return;
    }
    payment.status = 'executed';
    payment.more = { executed_at: this.#time() };
    const { account_number } = mandate.asked.mandate.beneficiary.account_identifier;
    this.onCredit(account_number, asked.amount_in_minor, payment);
    this.onTold({ type: 'payment_executed', ...about, ...payment.more });
  }

  #become(mandate: Mandate, status: string, more: Record<string, unknown>): void {
    mandate.status = status;
    mandate.more = more;
    const { remitter, ...said } = more;
    const { id: mandate_id, asked } = mandate;
    this.onTold({ type: `mandate_${status}`, mandate_id, ...said, metadata: asked.metadata });
  }

  #end(mandate: Mandate, revocation_source: string): void {
    const { authorized_at } = mandate.more;
    const more = { authorized_at, revoked_at: this.#time(), revocation_source };
    this.#become(mandate, 'revoked', more);
  }

  #time(): string {
    return this.#now().toString();
  }

  #of(id: string, answer: (mandate: Mandate) => Reply): Reply {
    const mandate = this.mandates.get(id);
    return mandate === undefined ? notFound('Mandate') : answer(mandate);
  }

  #search(body: unknown): Reply {
    const faults = faultsIn(SearchRequest, body);
    return faults === null
      ? { status: 200, body: { items: this.providers } }
      : invalidParameters(faults);
  }

  #ask(body: unknown): Reply {
    const faults = faultsIn(MandateRequest, body) ?? this.#faultsOfLicence(body as MandateBody);
    if (faults !== null) return invalidParameters(faults);
    const asked = body as MandateBody;
    const { provider_id } = asked.mandate.provider_selection;
    if (!this.providers.some(({ id }) => id === provider_id))
      return invalidParameters({ 'mandate.provider_selection.provider_id': ['Unknown provider.'] });
    const [id, userId] = [randomUUID(), asked.user.id ?? randomUUID()];
    const [made, customer] = [this.#now(), 'ordinary'] as const;
    const status = 'authorization_required';
    this.mandates.set(id, { id, userId, status, asked, made, customer, more: {} });
    return { status: 201, body: { id, user: { id: userId }, resource_token: randomUUID() } };
  }

  /** Without a licence the customer is named, and the reference is the client's name. */
  #faultsOfLicence({ mandate, user }: MandateBody): Record<string, string[]> | null {
    if (this.hasOwnLicence) return null;
    const isNamed = user.name !== undefined && (user.email ?? user.phone) !== undefined;
    if (!isNamed) return { user: ['A name and an email or phone are required.'] };
    return mandate.reference === undefined
      ? null
      : { 'mandate.reference': ['Only for clients with their own licence.'] };
  }

  #begin(mandate: Mandate, body: unknown): Reply {
    const faults = faultsIn(FlowRequest, body);
    if (faults !== null) return invalidParameters(faults);
    const { redirect } = body as { redirect: { return_uri: string } };
    if (!this.returnUris.includes(redirect.return_uri))
      return invalidParameters({ 'redirect.return_uri': ['Not registered.'] });
    if (mandate.status !== 'authorization_required')
      return invalidState('The authorization flow was started.');
    mandate.status = 'authorizing';
    const type = this.nextStep;
    const uri = `https://bank.example/authorise?mandate=${mandate.id}`;
    const next = type === 'redirect' ? { type, uri } : { type };
    const authorization_flow = { actions: { next } };
    return { status: 200, body: { authorization_flow, status: 'authorizing' } };
  }

  /** Only what the customer has agreed to can be revoked. */
  #revoke(mandate: Mandate): Reply {
    if (mandate.status !== 'authorized') return invalidState('The mandate is not authorized.');
    this.#end(mandate, 'client');
    return { status: 204, body: undefined };
  }

  #funds({ status, customer }: Mandate, query: URLSearchParams): Reply {
    if (!/^\d+$/.test(query.get('amount_in_minor') ?? '') || query.get('currency') !== 'GBP')
      return invalidParameters({ amount_in_minor: ['Invalid.'] });
    if (status !== 'authorized') return invalidState('The mandate is not authorized.');
    const confirmed = customer !== 'penniless';
    return { status: 200, body: { confirmed, confirmed_at: this.#time() } };
  }

  #order(body: unknown): Reply {
    const faults = faultsIn(PaymentRequest, body);
    if (faults !== null) return invalidParameters(faults);
    const asked = body as PaymentBody;
    return this.#of(asked.payment_method.mandate_id, (mandate) => this.#pay(mandate, asked));
  }

  #pay(mandate: Mandate, asked: PaymentBody): Reply {
    if (mandate.status !== 'authorized') return invalidState('The mandate is not authorized.');
    const fits = this.#fits(mandate, asked.amount_in_minor);
    if (!fits && !this.failsBeyondLimits)
      return invalidState('The payment exceeds the constraints of the mandate.');
    const [id, made] = [randomUUID(), this.#now()];
    const failure = { failure_stage: 'authorization_required', failure_reason: 'rejected' };
    const status = fits ? 'authorized' : 'failed';
    const more = fits ? {} : { failed_at: this.#time(), ...failure };
    this.payments.set(id, { id, mandate, status, asked, made, more });
    const user = { id: mandate.userId };
    const told = { id, user, resource_token: randomUUID(), status };
    return { status: 201, body: fits ? told : { ...told, ...failure } };
  }

  #fits(mandate: Mandate, pence: number): boolean {
    const { maximum_individual_amount: most, periodic_limits } = mandate.asked.constraints;
    if (pence > most) return false;
    const limits = Object.entries(periodic_limits as Record<string, { maximum_amount: number }>);
    return limits.every(([period, { maximum_amount }]) => {
      const start = this.#startOf(mandate, PERIODS[period] ?? {});
      const used = [...this.payments.values()]
        .filter((one) => one.mandate === mandate && one.status !== 'failed')
        .filter(({ made }) => Temporal.Instant.compare(made, start) >= 0)
        .reduce((sum, one) => sum + one.asked.amount_in_minor, 0);
      return used + pence <= maximum_amount;
    });
  }

  /** The start of the period, aligned with the consent, that is running. */
  #startOf({ made }: Mandate, period: Temporal.DurationLike): Temporal.Instant {
    const first = made.toZonedDateTimeISO('UTC');
    let start = first;
    for (;;) {
      const next = start.add(period);
      if (Temporal.Instant.compare(next.toInstant(), this.#now()) > 0) return start.toInstant();
      start = next;
    }
  }

  #read(id: string): Reply {
    const payment = this.payments.get(id);
    if (payment === undefined) return notFound('Payment');
    const { asked, mandate, status, made, more } = payment;
    const user = { id: mandate.userId };
    const created_at = made.toString();
    return { status: 200, body: { id, ...asked, user, created_at, status, ...more } };
  }
}

/** A mandate as it is answered; what it was asked with is repeated. */
function mandateJson({ id, userId, status, asked, made, more }: Mandate): object {
  const { mandate, user, ...rest } = asked;
  const created_at = made.toString();
  return { id, ...mandate, ...rest, user: { id: userId }, created_at, status, ...more };
}
