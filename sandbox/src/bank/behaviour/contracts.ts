import type { Json } from '../wire/fields.ts';
import { PERIOD_TYPES, type PeriodType } from '../wire/periods.ts';
import { refused } from '../wire/problem.ts';

/** What a bank takes of what the standard allows. Banks publish it in contracts of their own. */
export interface Contract {
  /** The periods that a limit may have. */
  periods: readonly PeriodType[];
  /** Whether a limit may be aligned with the calendar. */
  takesCalendar: boolean;
  /** Whether every member and every character that the contract does not name is an error. */
  isClosed: boolean;
}

/** Everything that the standard allows. */
export const STANDARD: Contract = { periods: PERIOD_TYPES, takesCalendar: true, isClosed: false };
/** Four periods, aligned with the consent alone. */
export const FOUR_PERIODS: Contract = {
  ...STANDARD,
  periods: ['Day', 'Week', 'Month', 'Year'],
  takesCalendar: false,
};
/** Every object is closed, and texts have few characters. */
export const CLOSED: Contract = { ...STANDARD, isClosed: true };

const ACCOUNT = ['SchemeName', 'Identification', 'Name', 'SecondaryIdentification', 'Proxy'];
const PARTY = ['Name', 'Identification', 'LEI', 'SchemeName', 'PostalAddress'];
const REMITTANCE = ['Structured', 'Unstructured'];
const AMOUNT = ['Amount', 'Currency'];

/** The members of each object that a consent, a payment or a question for funds has, by its name. */
const MEMBERS: Readonly<Record<string, readonly string[]>> = {
  '': ['Data', 'Risk'],
  Data: [
    ...['ConsentId', 'ReadRefundAccount', 'ControlParameters', 'Initiation', 'Instruction'],
    ...['VRPType', 'PSUAuthenticationMethod', 'PSUInteractionType', 'Reference'],
    ...['InstructedAmount'],
  ],
  ControlParameters: [
    ...['ValidFromDateTime', 'ValidToDateTime', 'MaximumIndividualAmount', 'PeriodicLimits'],
    ...['VRPType', 'PSUAuthenticationMethods', 'PSUInteractionTypes', 'SupplementaryData'],
  ],
  MaximumIndividualAmount: AMOUNT,
  PeriodicLimits: ['PeriodType', 'PeriodAlignment', ...AMOUNT],
  Initiation: [
    ...['DebtorAccount', 'CreditorAccount', 'CreditorPostalAddress', 'UltimateCreditor'],
    ...['UltimateDebtor', 'RegulatoryReporting', 'RemittanceInformation'],
  ],
  Instruction: [
    ...['InstructionIdentification', 'EndToEndIdentification', 'RemittanceInformation'],
    ...['LocalInstrument', 'InstructedAmount', 'CreditorAccount', 'CreditorPostalAddress'],
    ...['UltimateCreditor', 'UltimateDebtor', 'SupplementaryData'],
  ],
  InstructedAmount: AMOUNT,
  CreditorAccount: ACCOUNT,
  DebtorAccount: ACCOUNT,
  UltimateCreditor: PARTY,
  UltimateDebtor: PARTY,
  RemittanceInformation: REMITTANCE,
  Structured: [
    ...['ReferredDocumentInformation', 'ReferredDocumentAmount', 'CreditorReferenceInformation'],
    ...['Invoicer', 'Invoicee', 'TaxRemittance', 'AdditionalRemittanceInformation'],
  ],
  CreditorReferenceInformation: ['Code', 'Issuer', 'Reference'],
  SupplementaryData: [],
};

const PARTY_TEXT = /^(?!\s)[A-Za-z0-9!+/= '.,@#()_-]{1,140}$/;
const ACCOUNT_NAME = /^(?!\s)[A-Za-z0-9-. '()£="_,&@#/;+]{1,70}$/;
const ID = /^(?!\s)[A-Za-z0-9-. '()£="_]{1,35}$/;

/** What a text may be, by the end of its path. */
const TEXTS: readonly [path: RegExp, text: RegExp][] = [
  [/Ultimate(Creditor|Debtor)\.Name$/, PARTY_TEXT],
  [/(Creditor|Debtor)Account\.Name$/, ACCOUNT_NAME],
  [/CreditorReferenceInformation\.Reference$/, /^(?!\s)[A-Za-z0-9!+/= '.,@#()_-]{1,35}$/],
  [/(Instruction|EndToEnd)Identification$/, ID],
  [/MerchantCustomerIdentification$/, /^(?!\s)[A-Za-z0-9-. '()@#£="_|]{1,70}$/],
  [/MerchantCategoryCode$/, /^[A-Za-z0-9]{3,4}$/],
  [/CreditorAccount\.Identification$/, /^(\d{14}|\d{16}|[A-Z]{2}\d{2}[A-Za-z0-9]{11,30})$/],
  [/\.Amount$/, /^(?=.{3,19}$)\d{1,13}(\.\d{1,5})?$/],
];
const INTERACTION_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const KEY = /^(?!\s)[A-Za-z0-9-. '()@#£%{}=":_]{1,40}$/;

/** Checks a request against a closed contract; throws ApiProblem with the first member or text that it does not name. */
export function checkContract({ isClosed }: Contract, body: Json, idempotencyKey: string): void {
  if (!isClosed) return;
  if (!KEY.test(idempotencyKey))
    throw refused('U002', 'The key has characters that we do not take', 'x-idempotency-key');
  checkObject(body, '', '');
}

/** Checks the interaction id of a call against a closed contract: a UUID of version 1 to 5, where there is one. */
export function checkInteractionId({ isClosed }: Contract, id: string | undefined): void {
  if (isClosed && id !== undefined && !INTERACTION_ID.test(id))
    throw refused('U002', 'The interaction id is no UUID', 'x-fapi-interaction-id');
}

function checkObject(value: Json, name: string, path: string): void {
  const known = MEMBERS[name];
  for (const [member, inner] of Object.entries(value)) {
    const at = path === '' ? member : `${path}.${member}`;
    if (known !== undefined && !known.includes(member))
      throw refused('U005', `${name || 'The request'} has no member ${member}`, at);
    checkValue(inner, member, at);
  }
}

function checkValue(value: unknown, name: string, path: string): void {
  if (Array.isArray(value)) {
    if (value.length === 0) throw refused('U002', `${name} is empty: leave it out`, path);
    for (const [n, one] of value.entries()) checkValue(one, name, `${path}.${n}`);
  } else if (typeof value === 'object' && value !== null) checkObject(value as Json, name, path);
  else checkText(String(value), name, path);
}

function checkText(value: string, name: string, path: string): void {
  const text = TEXTS.find(([ending]) => ending.test(path))?.[1];
  if (text !== undefined && !text.test(value))
    throw refused('U002', `${name} has characters that we do not take`, path);
}
