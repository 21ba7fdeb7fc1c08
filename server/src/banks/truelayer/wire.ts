import { createHash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { Value } from 'typebox/value';
import {
  type AccountDetails,
  type BankLimits,
  LIMIT_PERIODS,
  type PeriodicLimit,
} from '../bank.ts';

/** The parts of TrueLayer's answers that we read, and the parts of requests that are the same everywhere. */

const Text = Type.String({ minLength: 1 });
/** More pence than this cannot be counted. */
const Pence = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

const MadeMandate = Type.Object({ id: Text });
const Flow = Type.Object({
  status: Text,
  authorization_flow: Type.Optional(
    Type.Object({
      actions: Type.Optional(
        Type.Object({ next: Type.Object({ type: Text, uri: Type.Optional(Text) }) }),
      ),
    }),
  ),
});
const Identifier = Type.Object({
  type: Text,
  sort_code: Type.Optional(Text),
  account_number: Type.Optional(Text),
  iban: Type.Optional(Text),
});
const Mandate = Type.Object({
  status: Text,
  currency: Text,
  constraints: Type.Object({
    valid_from: Type.Optional(Text),
    valid_to: Type.Optional(Text),
    maximum_individual_amount: Type.Optional(Pence),
    periodic_limits: Type.Optional(
      Type.Record(Type.String(), Type.Object({ maximum_amount: Pence, period_alignment: Text })),
    ),
  }),
  remitter: Type.Optional(
    Type.Object({ account_holder_name: Type.Optional(Text), account_identifier: Identifier }),
  ),
  failure_reason: Type.Optional(Text),
  revocation_source: Type.Optional(Text),
});
const Funds = Type.Object({ confirmed: Type.Boolean() });
const MadePayment = Type.Object({ id: Text, status: Text, failure_reason: Type.Optional(Text) });
const Payment = Type.Object({
  id: Text,
  status: Text,
  failure_reason: Type.Optional(Text),
  payment_method: Type.Object({ type: Type.Literal('mandate'), mandate_id: Text }),
  metadata: Type.Optional(Type.Record(Type.String(), Type.String())),
});

export type ReadMandate = Static<typeof Mandate>;

// An answer in another form throws: the client takes it for one that cannot be read.
export const readMadeMandate = (json: unknown) => Value.Parse(MadeMandate, json);
export const readFlow = (json: unknown) => Value.Parse(Flow, json);
export const readMandateBody = (json: unknown): ReadMandate => Value.Parse(Mandate, json);
export const readFunds = (json: unknown) => Value.Parse(Funds, json);
export const readMadePayment = (json: unknown) => Value.Parse(MadePayment, json);
export const readPaymentBody = (json: unknown) => Value.Parse(Payment, json);

/** Our names of periods, and TrueLayer's. */
const periodName = (ours: string): string => ours.toLowerCase().replace('-', '_');

/** Returns periodic limits as TrueLayer has them: one for each period. Throws `RangeError` for what it cannot express. */
export function periodsBody(limits: readonly PeriodicLimit[]): Record<string, object> {
  const known: readonly string[] = LIMIT_PERIODS;
  const wrong = limits.find(({ periodType }) => !known.includes(periodType));
  if (wrong !== undefined) throw new RangeError(`there is no period ${wrong.periodType}`);
  const body = limits.map(({ periodType, alignment, amountPence }) => [
    periodName(periodType),
    { maximum_amount: amountPence, period_alignment: alignment.toLowerCase() },
  ]);
  const byName = Object.fromEntries(body) as Record<string, object>;
  if (Object.keys(byName).length < limits.length)
    throw new RangeError('there can be one limit for each period');
  return byName;
}

/** Reads the limits of a mandate. Throws if they cannot be read. */
export function limitsOf({ constraints, currency }: ReadMandate): BankLimits {
  if (currency !== 'GBP') throw new RangeError(`not in pounds: ${currency}`);
  const { valid_from: from, valid_to: to, maximum_individual_amount: maximum } = constraints;
  const periodicLimits = Object.entries(constraints.periodic_limits ?? {}).map(periodOf);
  return {
    ...(from && { validFrom: Temporal.Instant.from(from) }),
    ...(to && { validTo: Temporal.Instant.from(to) }),
    ...(maximum !== undefined && { maximumAmountPence: maximum }),
    ...(periodicLimits.length > 0 && { periodicLimits }),
  };
}

const ALIGNMENTS = ['Consent', 'Calendar'] as const;

function periodOf([name, { maximum_amount: amountPence, period_alignment }]: [
  string,
  { maximum_amount: number; period_alignment: string },
]): PeriodicLimit {
  const periodType = LIMIT_PERIODS.find((one) => periodName(one) === name);
  const alignment = ALIGNMENTS.find((one) => one.toLowerCase() === period_alignment);
  if (periodType === undefined || alignment === undefined)
    throw new RangeError(`no such limit: ${name} ${period_alignment}`);
  return { periodType, alignment, amountPence };
}

/** Returns an account as TrueLayer has it. */
export const identifierBody = ({ sortCode, accountNumber }: AccountDetails) => ({
  type: 'sort_code_account_number',
  sort_code: sortCode,
  account_number: accountNumber,
});

/** The bank, the sort code and the account number of a British account. */
const BRITISH_IBAN = /^GB\d{2}[A-Z]{4}(\d{6})(\d{8})$/;

/** Returns the account that pays, which may be named by an IBAN alone; null: it is not named, or is not a British one. */
export function payerOf({ remitter }: ReadMandate): AccountDetails | null {
  if (remitter === undefined) return null;
  const { sort_code, account_number, iban = '' } = remitter.account_identifier;
  const [, inIban, numberInIban] = BRITISH_IBAN.exec(iban.replaceAll(' ', '')) ?? [];
  const [sortCode, accountNumber] = [sort_code ?? inIban, account_number ?? numberInIban];
  if (!/^\d{6}$/.test(sortCode ?? '') || !/^\d{8}$/.test(accountNumber ?? '')) return null;
  const name = remitter.account_holder_name ?? '';
  return { sortCode: sortCode ?? '', accountNumber: accountNumber ?? '', name };
}

/** Returns the UUID of a customer, which is derived from our id: TrueLayer takes no other form. */
export function userIdOf(customerReference: string): string {
  const hash = createHash('sha256').update(`recollect:customer:${customerReference}`).digest('hex');
  // Version 8 of RFC 9562: made by a rule of one's own.
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-a${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
}
