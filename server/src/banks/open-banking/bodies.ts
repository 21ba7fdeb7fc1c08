import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { wireName } from '../../platform/values/wire-text.ts';
import { type AccountDetails, BankUnavailable } from '../bank.ts';

/** The parts of the bank's responses that we read. Everything else is ignored, as the standard allows. */

const StatusReason = Type.Object({ StatusReasonCode: Type.Optional(Type.String()) });

const Account = Type.Object({
  SchemeName: Type.String(),
  Identification: Type.String(),
  Name: Type.Optional(Type.String()),
});

const Amount = { Amount: Type.String(), Currency: Type.String() };

/** All fields are optional: banks report what they support. */
const ControlParameters = Type.Object({
  ValidFromDateTime: Type.Optional(Type.String()),
  ValidToDateTime: Type.Optional(Type.String()),
  MaximumIndividualAmount: Type.Optional(Type.Object(Amount)),
  PeriodicLimits: Type.Optional(
    Type.Array(
      Type.Object({ PeriodType: Type.String(), PeriodAlignment: Type.String(), ...Amount }),
    ),
  ),
});

export type ReportedControlParameters = Static<typeof ControlParameters>;

const Consent = Type.Object({
  Data: Type.Object({
    ConsentId: Type.String({ minLength: 1, maxLength: 128 }),
    Status: Type.Enum(['AWAU', 'AUTH', 'RJCT', 'CANC', 'EXPD']),
    StatusReason: Type.Optional(Type.Array(StatusReason)),
    DebtorAccount: Type.Optional(Account),
    ControlParameters: Type.Optional(ControlParameters),
  }),
});

const Payment = Type.Object({
  Data: Type.Object({
    DomesticVRPId: Type.String({ minLength: 1, maxLength: 40 }),
    ConsentId: Type.String(),
    Status: Type.String({ minLength: 1 }),
    StatusReason: Type.Optional(Type.Array(StatusReason)),
    Instruction: Type.Object({ InstructionIdentification: Type.String() }),
  }),
});

const Funds = Type.Object({
  Data: Type.Object({
    FundsAvailableResult: Type.Object({
      FundsAvailable: Type.Enum(['Available', 'NotAvailable']),
    }),
  }),
});

const Errors = Type.Object({ Errors: Type.Array(Type.Object({ ErrorCode: Type.String() })) });

/** Each throws `BankUnavailable` for a body of another shape: it proves nothing. */
export const parseConsent = parser(Consent, 'consent');
export const parsePayment = parser(Payment, 'payment');
export const parseFunds = parser(Funds, 'funds confirmation');

const errorsShape = Compile(Errors);

/** Returns the error codes of a response; none if it is not an error body of the standard (for example a gateway's page). */
export function errorCodes(text: string): string[] {
  const body = parseJson(text);
  return errorsShape.Check(body) ? body.Errors.map((error) => error.ErrorCode) : [];
}

/** Returns the reason codes of a status. */
export function reasonCodes(reasons: Static<typeof StatusReason>[] | undefined): string[] {
  return (reasons ?? []).flatMap((reason) => reason.StatusReasonCode ?? []);
}

const SCHEME = 'UK.OBIE.SortCodeAccountNumber';

/** Converts an account to the standard's form: sort code and account number as one string of 14 digits. */
export function accountBody(account: AccountDetails): {
  SchemeName: string;
  Identification: string;
  Name: string;
} {
  return {
    SchemeName: SCHEME,
    Identification: account.sortCode + account.accountNumber,
    Name: wireName(account.name),
  };
}

/** Converts it back; null for an account that is not identified by sort code and account number. */
export function accountDetails(account: Static<typeof Account> | undefined): AccountDetails | null {
  const parts = /^(\d{6})(\d{8})$/.exec(account?.Identification ?? '');
  const [, sortCode, accountNumber] = parts ?? [];
  if (account?.SchemeName !== SCHEME || !sortCode || !accountNumber) return null;
  return { sortCode, accountNumber, name: account.Name ?? '' };
}

function parser<T extends TSchema>(schema: T, what: string): (text: string) => Static<T> {
  const shape = Compile(schema);
  return (text) => {
    const body = parseJson(text);
    if (!shape.Check(body))
      throw new BankUnavailable(`the bank's ${what} is not in the expected form`);
    return body as Static<T>;
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
