import type { Asked, Reply } from './asked.ts';

/** How the account behind a consent behaves. */
export type VrpCustomer = 'ordinary' | 'penniless' | 'unanswered' | 'refused_by_bank';

interface Consent {
  id: string;
  status: 'AWAITING_AUTHORISATION' | 'AUTHORISED' | 'REJECTED' | 'REVOKED';
  /** As it was asked for; the answer repeats it. */
  asked: Record<string, unknown>;
  made: Temporal.Instant;
  customer: VrpCustomer;
}

interface VrpPayment {
  id: string;
  consent: Consent;
  status: string;
  reasons: string[];
  pence: number;
  asked: Record<string, unknown>;
  made: Temporal.Instant;
}

/** The banks on its list. */
const ASPSPS = [
  aspsp('H210000043', 'Sandbox Bank', 'COMMERCIAL_VRP', 'ENABLED'),
  aspsp('H210000044', 'Alder Bank', 'COMMERCIAL_VRP', 'ENABLED'),
  aspsp('H210000045', 'Closed Bank', 'COMMERCIAL_VRP', 'DISABLED'),
  aspsp('H210000046', 'Single Bank', 'SINGLE_IMMEDIATE', 'ENABLED'),
];

function aspsp(id: string, name: string, type: string, status: string) {
  return { id, name, capabilities: [{ type, status }] };
}

const PERIODS: Readonly<Record<string, Temporal.DurationLike>> = {
  DAY: { days: 1 },
  WEEK: { days: 7 },
  FORTNIGHT: { days: 14 },
  MONTH: { months: 1 },
  HALF_YEAR: { months: 6 },
  YEAR: { years: 1 },
};
/** What only the debtor's bank has done yet counts as not paid. */
const OVER = new Set(['REJECTED', 'ACCEPTEDCREDITSETTLEMENTCOMPLETED']);

/** The part of the fake Modulr that makes variable recurring payments; it plays the banks itself. */
export class FakeVrp {
  /** How long a payment takes. */
  settlesAfter: Temporal.DurationLike = { seconds: 2 };
  banks = ASPSPS;
  readonly consents = new Map<string, Consent>();
  readonly payments = new Map<string, VrpPayment>();
  readonly #now: () => Temporal.Instant;
  readonly #credit: (accountNumber: string, pence: number) => void;
  #count = 0;

  constructor(now: () => Temporal.Instant, credit: (accountNumber: string, pence: number) => void) {
    this.#now = now;
    this.#credit = credit;
  }

  /** Answers what is asked of payments under consents; null: it is about something else. */
  answer({ method, path, body }: Asked): Reply | null {
    const [, first = '', id = '', what = ''] = path.split('/');
    const call = `${method} /${first}${id === '' ? '' : '/…'}${what === '' ? '' : `/${what}`}`;
    switch (call) {
      case 'GET /aspsps':
        return { status: 200, body: this.banks };
      case 'POST /vrp-consents':
        return this.#ask(body);
      case 'GET /vrp-consents/…':
        return this.#of(id, (consent) => ({ status: 200, body: consentJson(consent) }));
      case 'DELETE /vrp-consents/…':
        return this.#of(id, (consent) => {
          consent.status = 'REVOKED';
          return { status: 202, body: undefined };
        });
      case 'POST /vrp-consents/…/funds-confirmation':
        return this.#of(id, (consent) => this.#funds(consent));
      case 'POST /vrp':
        return this.#of(String(body.consentId), (consent) => this.#pay(consent, body));
      case 'GET /vrp/…':
        return this.#read(id);
      default:
        return null;
    }
  }

  /** The customer opens the page of `redirectUrl`, and agrees or declines. */
  decide(redirectUrl: string, customer: VrpCustomer, agrees: boolean): void {
    const consent = this.#consent(new URL(redirectUrl).searchParams.get('consent') ?? '');
    consent.customer = customer;
    consent.status = agrees && customer !== 'refused_by_bank' ? 'AUTHORISED' : 'REJECTED';
  }

  /** The customer withdraws the consent at the bank. */
  withdraw(consentId: string): void {
    this.#consent(consentId).status = 'REVOKED';
  }

  /** Whether the answer to an order under this consent is lost the first time. */
  isUnanswered(consentId: unknown): boolean {
    return this.consents.get(String(consentId))?.customer === 'unanswered';
  }

  /** Ends the payments that have been under way for long enough. */
  settle(): void {
    for (const payment of this.payments.values()) {
      const at = payment.made.add(this.settlesAfter);
      if (OVER.has(payment.status) || Temporal.Instant.compare(at, this.#now()) > 0) continue;
      if (payment.consent.customer === 'penniless') {
        payment.status = 'REJECTED';
        payment.reasons = ['AM04'];
        continue;
      }
      payment.status = 'ACCEPTEDCREDITSETTLEMENTCOMPLETED';
      const { accountNumber } = payment.consent.asked.destination as { accountNumber: string };
      this.#credit(accountNumber, payment.pence);
    }
  }

  #consent(id: string): Consent {
    const consent = this.consents.get(id);
    if (consent === undefined) throw new Error(`no consent ${id}`);
    return consent;
  }

  #of(id: string, answer: (consent: Consent) => Reply): Reply {
    const consent = this.consents.get(id);
    return consent === undefined ? wrong('NOTFOUND', `Consent not found: ${id}`) : answer(consent);
  }

  #ask(asked: Record<string, unknown>): Reply {
    const isOpen = this.banks.some(
      ({ id, capabilities }) =>
        id === asked.aspspId &&
        capabilities.some(({ type, status }) => type === 'COMMERCIAL_VRP' && status === 'ENABLED'),
    );
    if (!isOpen) return wrong('BUSINESSRULE', 'ASPSP does not support commercial VRP');
    this.#count += 1;
    const id = `E21${String(this.#count).padStart(7, '0')}`;
    const made = this.#now();
    const status = 'AWAITING_AUTHORISATION';
    this.consents.set(id, { id, status, asked, made, customer: 'ordinary' });
    const redirectUrl = `https://bank.example/authorize?consent=${id}`;
    return { status: 201, body: { vrpConsentInitiationId: id, redirectUrl } };
  }

  #funds({ status, customer }: Consent): Reply {
    if (status !== 'AUTHORISED') return wrong('BUSINESSRULE', 'Consent is not authorised');
    const fundsAvailabilityCheckDateTime = this.#now().toString();
    const fundsAvailable = customer !== 'penniless';
    return { status: 200, body: { fundsAvailable, fundsAvailabilityCheckDateTime } };
  }

  #pay(consent: Consent, asked: Record<string, unknown>): Reply {
    if (consent.status !== 'AUTHORISED') return wrong('BUSINESSRULE', 'Consent is not authorised');
    const pence = Math.round(Number((asked.payment as { amount: number }).amount) * 100);
    if (!this.#fits(consent, pence)) return wrong('BUSINESSRULE', 'Payment exceeds the consent');
    this.#count += 1;
    const id = `V21${String(this.#count).padStart(7, '0')}`;
    const made = this.#now();
    this.payments.set(id, { id, consent, status: 'SUBMITTED', reasons: [], pence, asked, made });
    return { status: 201, body: { id, status: 'SUBMITTED' } };
  }

  #fits(consent: Consent, pence: number): boolean {
    const { maximumIndividualAmount, periodicLimits } = consent.asked.paymentConstraints as {
      maximumIndividualAmount: { amount: number };
      periodicLimits: { amount: number; periodType: string }[];
    };
    if (pence > Math.round(maximumIndividualAmount.amount * 100)) return false;
    return periodicLimits.every(({ amount, periodType }) => {
      const start = this.#startOf(consent, PERIODS[periodType] ?? {});
      const used = [...this.payments.values()]
        .filter((one) => one.consent === consent && one.status !== 'REJECTED')
        .filter(({ made }) => Temporal.Instant.compare(made, start) >= 0)
        .reduce((sum, one) => sum + one.pence, 0);
      return used + pence <= Math.round(amount * 100);
    });
  }

  /** The start of the period, aligned with the consent, that is running. */
  #startOf({ made }: Consent, period: Temporal.DurationLike): Temporal.Instant {
    const now = this.#now();
    let start = made.toZonedDateTimeISO('UTC');
    for (;;) {
      const next = start.add(period);
      if (Temporal.Instant.compare(next.toInstant(), now) > 0) return start.toInstant();
      start = next;
    }
  }

  #read(id: string): Reply {
    const payment = this.payments.get(id);
    if (payment === undefined) return wrong('NOTFOUND', `Payment not found: ${id}`);
    const { status, reasons, consent, asked } = payment;
    return {
      status: 200,
      body: {
        consentId: consent.id,
        payment: asked.payment,
        status,
        ...(reasons.length > 0 && { statusReasonCodes: reasons }),
        interactionType: asked.interactionType,
      },
    };
  }
}

const consentJson = ({ asked, status }: Consent) => ({ ...asked, status });

const wrong = (code: string, message: string): Reply => ({
  status: 400,
  body: [{ field: 'consentId', code, message, sourceService: 'FAKE' }],
});
