import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import { fromDecimal, toDecimal } from '../../platform/values/money.ts';
import type { BankLimits, PeriodicLimit } from '../bank.ts';

/** The parts of Modulr's answers that we read. */

const Text = Type.String({ minLength: 1 });
const Money = { currency: Type.String(), amount: Type.Optional(Type.Number()) };

const MadeConsent = Type.Object({ vrpConsentInitiationId: Text, redirectUrl: Text });
const Consent = Type.Object({
  status: Text,
  validFromDate: Type.Optional(Text),
  validToDate: Type.Optional(Text),
  paymentConstraints: Type.Object({
    maximumIndividualAmount: Type.Object(Money),
    periodicLimits: Type.Optional(
      Type.Array(Type.Object({ ...Money, periodAlignment: Text, periodType: Text })),
    ),
  }),
});
const Funds = Type.Object({ fundsAvailable: Type.Boolean() });
const MadePayment = Type.Object({ id: Text, status: Text });
const Payment = Type.Object({
  consentId: Text,
  status: Text,
  statusReasonCodes: Type.Optional(Type.Array(Text)),
});
const Aspsp = Type.Object({
  id: Text,
  name: Text,
  capabilities: Type.Optional(
    Type.Array(
      Type.Object({ type: Type.Optional(Type.String()), status: Type.Optional(Type.String()) }),
    ),
  ),
});

export type ReadConsent = Static<typeof Consent>;
export type Aspsp = Static<typeof Aspsp>;

// An answer in another form throws: the client takes it for one that cannot be read.
export const readMadeConsent = (json: unknown) => Value.Parse(MadeConsent, json);
export const readConsentBody = (json: unknown): ReadConsent => Value.Parse(Consent, json);
export const readFunds = (json: unknown) => Value.Parse(Funds, json);
export const readMadePayment = (json: unknown) => Value.Parse(MadePayment, json);
export const readPaymentBody = (json: unknown) => Value.Parse(Payment, json);
export const readAspsps = (json: unknown): Aspsp[] => Value.Parse(Type.Array(Aspsp), json);

/** Our names of periods, and Modulr's. */
const PERIODS: Readonly<Record<string, string>> = {
  Day: 'DAY',
  Week: 'WEEK',
  Fortnight: 'FORTNIGHT',
  Month: 'MONTH',
  'Half-year': 'HALF_YEAR',
  Year: 'YEAR',
};

/** Modulr writes amounts as numbers of pounds. */
export function amountBody(pence: number): { currency: 'GBP'; amount: number } {
  return { currency: 'GBP', amount: Number(toDecimal(pence)) };
}

/** Returns a periodic limit as Modulr has it. Throws `RangeError` for a period that it does not know. */
export function periodBody({ periodType, alignment, amountPence }: PeriodicLimit) {
  const name = PERIODS[periodType];
  if (name === undefined) throw new RangeError(`Modulr has no period ${periodType}`);
  return { ...amountBody(amountPence), periodAlignment: alignment, periodType: name };
}

/** Reads the limits of a consent. Throws if they cannot be read. */
export function limitsOf(consent: ReadConsent): BankLimits {
  const { validFromDate, validToDate, paymentConstraints } = consent;
  const { maximumIndividualAmount, periodicLimits = [] } = paymentConstraints;
  const maximum = penceOf(maximumIndividualAmount);
  return {
    ...(validFromDate && { validFrom: Temporal.Instant.from(validFromDate) }),
    ...(validToDate && { validTo: Temporal.Instant.from(validToDate) }),
    ...(maximum !== null && { maximumAmountPence: maximum }),
    ...(periodicLimits.length > 0 && { periodicLimits: periodicLimits.map(periodOf) }),
  };
}

type ReadPeriod = NonNullable<ReadConsent['paymentConstraints']['periodicLimits']>[number];

function periodOf(read: ReadPeriod): PeriodicLimit {
  const named = Object.entries(PERIODS).find(([, name]) => name === read.periodType.toUpperCase());
  const alignment = ALIGNMENTS.find(
    (name) => name.toUpperCase() === read.periodAlignment.toUpperCase(),
  );
  const amountPence = penceOf(read);
  if (named === undefined || alignment === undefined || amountPence === null)
    throw new RangeError(`no such limit: ${JSON.stringify(read)}`);
  return { periodType: named[0], alignment, amountPence };
}

const ALIGNMENTS = ['Consent', 'Calendar'] as const;

/** Null: none is named. */
function penceOf({ amount, currency }: { amount?: number; currency: string }): number | null {
  if (currency !== 'GBP') throw new RangeError(`not in pounds: ${currency}`);
  return amount === undefined ? null : fromDecimal(String(amount));
}
