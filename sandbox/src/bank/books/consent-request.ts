import type { Contract } from '../behaviour/contracts.ts';
import { choicesAt, instantAt, type Json, listAt, objectAt, textAt } from '../wire/fields.ts';
import { penceOf } from '../wire/money.ts';
import { londonDate, PERIOD_TYPES, type PeriodicLimit, type PeriodType } from '../wire/periods.ts';
import { refused } from '../wire/problem.ts';
import type { ControlParameters } from './control-parameters.ts';

/** The body of POST /domestic-vrp-consents, after validation. Members not named here are kept as sent. */
export interface ConsentRequest {
  Data: { ReadRefundAccount?: string; ControlParameters: Json; Initiation: Initiation };
  Risk: Json;
}

export interface Initiation extends Json {
  CreditorAccount: UkAccount;
  DebtorAccount?: UkAccount;
  RemittanceInformation?: Json;
}

/** An account of the scheme UK.OBIE.SortCodeAccountNumber: `Identification` is 6 + 8 digits. */
export interface UkAccount {
  SchemeName: string;
  Identification: string;
  Name: string;
}

export const ACCOUNT_SCHEME = 'UK.OBIE.SortCodeAccountNumber';
const VRP_TYPES = ['Sweeping', 'Other', 'CVRP1', 'CVRP2', 'CVRP3'].map(
  (name) => `UK.OBIE.VRPType.${name}`,
);
const AUTHENTICATION_METHODS = ['UK.OBIE.SCANotRequired', 'UK.OBIE.SCA'];
const INTERACTION_TYPES = ['InSession', 'OffSession'];
const MAX_LIMITS = 6;
const RISK_MEMBERS = new Set([
  'PaymentContextCode',
  'MerchantCategoryCode',
  'MerchantCustomerIdentification',
  'ContractPresentIndicator',
  'BeneficiaryPrepopulatedIndicator',
  'PaymentPurposeCode',
  'CategoryPurposeCode',
  'BeneficiaryAccountType',
  'DeliveryAddress',
]);
const PAYMENT_CONTEXTS = [
  'BillingGoodsAndServicesInAdvance',
  'BillingGoodsAndServicesInArrears',
  'EcommerceMerchantInitiatedPayment',
  'FaceToFacePointOfSale',
  'TransferToSelf',
  'TransferToThirdParty',
];
const RISK_VALUES: Readonly<Record<string, RegExp>> = {
  PaymentContextCode: new RegExp(`^(${PAYMENT_CONTEXTS.join('|')})$`),
  MerchantCategoryCode: /^.{3,4}$/,
  PaymentPurposeCode: /^[A-Z0-9]{4}$/,
  CategoryPurposeCode: /^[A-Z0-9]{4}$/,
};

/** Checks a consent request as a bank does; throws ApiProblem with the first defect. */
export function checkConsentRequest(
  body: Json,
  contract: Contract,
  now: Temporal.Instant,
): ConsentRequest {
  const data = objectAt(body, 'Data', 'Data');
  const risk = objectAt(body, 'Risk', 'Risk');
  checkRisk(risk);
  const readRefund = data.ReadRefundAccount;
  if (readRefund !== undefined && readRefund !== 'Yes' && readRefund !== 'No') {
    throw refused('U002', 'ReadRefundAccount is Yes or No', 'Data.ReadRefundAccount');
  }
  const parameters = objectAt(data, 'ControlParameters', 'Data.ControlParameters');
  checkControlParameters(parameters, contract, now);
  const initiation = objectAt(data, 'Initiation', 'Data.Initiation');
  checkAccount(initiation, 'CreditorAccount', 'Data.Initiation.CreditorAccount');
  if (initiation.DebtorAccount !== undefined) {
    checkAccount(initiation, 'DebtorAccount', 'Data.Initiation.DebtorAccount');
  }
  return body as unknown as ConsentRequest;
}

/** Returns the name of the ultimate payee, as the customer knows it. */
export function payeeOf({ Data: { Initiation } }: ConsentRequest): string {
  const name = (Initiation.UltimateCreditor as Json | undefined)?.Name;
  return typeof name === 'string' ? name : Initiation.CreditorAccount.Name;
}

/** Checks an account of the UK scheme: U027 for another scheme, U021 for a wrong number. */
export function checkAccount(parent: Json, name: string, path: string): void {
  const account = objectAt(parent, name, path);
  if (textAt(account, 'SchemeName', `${path}.SchemeName`) !== ACCOUNT_SCHEME) {
    throw refused('U027', `Only ${ACCOUNT_SCHEME} is supported`, `${path}.SchemeName`);
  }
  if (!/^\d{14}$/.test(textAt(account, 'Identification', `${path}.Identification`))) {
    throw refused('U021', 'A sort code and account number has 14 digits', `${path}.Identification`);
  }
  textAt(account, 'Name', `${path}.Name`, 70);
}

/** Checks an amount in pounds and returns it in pence. */
export function amountAt(parent: Json, path: string): number {
  const currency = textAt(parent, 'Currency', `${path}.Currency`, 3);
  if (currency !== 'GBP') throw refused('U023', 'Only GBP is supported', `${path}.Currency`);
  const pence = penceOf(textAt(parent, 'Amount', `${path}.Amount`, 19));
  if (!pence)
    throw refused('U002', 'The amount must be positive pounds and pence', `${path}.Amount`);
  return pence;
}

/** Returns the control parameters of a validated request; `authorisedAt` applies if it has no start. */
export function controlParametersOf(
  request: ConsentRequest,
  authorisedAt: Temporal.Instant,
): ControlParameters {
  const parameters = request.Data.ControlParameters;
  const from = instantAt(parameters, 'ValidFromDateTime', 'ValidFromDateTime');
  const to = instantAt(parameters, 'ValidToDateTime', 'ValidToDateTime');
  return {
    maximumIndividualPence: amountAt(parameters.MaximumIndividualAmount as Json, ''),
    periodicLimits: (parameters.PeriodicLimits as Json[]).map((limit) => limitOf(limit, '')),
    validFrom: londonDate(from ?? authorisedAt),
    validTo: to && londonDate(to),
  };
}

/** Returns when a consent expires: the end of its last day in London; null if it has none. */
export function expiryOf(request: ConsentRequest): Temporal.Instant | null {
  const to = instantAt(request.Data.ControlParameters, 'ValidToDateTime', 'ValidToDateTime');
  return to && londonDate(to).add({ days: 1 }).toZonedDateTime('Europe/London').toInstant();
}

function checkControlParameters(parameters: Json, contract: Contract, now: Temporal.Instant): void {
  const path = 'Data.ControlParameters';
  choicesAt(parameters, 'VRPType', `${path}.VRPType`, VRP_TYPES);
  const methods = `${path}.PSUAuthenticationMethods`;
  choicesAt(parameters, 'PSUAuthenticationMethods', methods, AUTHENTICATION_METHODS);
  if (parameters.PSUInteractionTypes !== undefined) {
    const types = `${path}.PSUInteractionTypes`;
    choicesAt(parameters, 'PSUInteractionTypes', types, INTERACTION_TYPES);
  }
  const maximum = `${path}.MaximumIndividualAmount`;
  amountAt(objectAt(parameters, 'MaximumIndividualAmount', maximum), maximum);
  const limits = listAt(parameters, 'PeriodicLimits', `${path}.PeriodicLimits`);
  if (limits.length > MAX_LIMITS) {
    throw refused('U002', `At most ${MAX_LIMITS} periodic limits`, `${path}.PeriodicLimits`);
  }
  for (const index of limits.keys()) {
    const limitPath = `${path}.PeriodicLimits.${index}`;
    const limit = limitOf(objectAt(limits as unknown as Json, String(index), limitPath), limitPath);
    checkPeriod(limit, contract, limitPath);
  }
  checkValidity(parameters, path, now);
}

function checkPeriod({ type, alignment }: PeriodicLimit, contract: Contract, path: string): void {
  if (!contract.periods.includes(type))
    throw refused('U002', `This bank has no limits by the ${type}`, `${path}.PeriodType`);
  if (alignment === 'Calendar' && !contract.takesCalendar)
    throw refused('U002', 'Limits are aligned with the consent here', `${path}.PeriodAlignment`);
}

function limitOf(limit: Json, path: string): PeriodicLimit {
  const type = textAt(limit, 'PeriodType', `${path}.PeriodType`) as PeriodType;
  const alignment = textAt(limit, 'PeriodAlignment', `${path}.PeriodAlignment`);
  if (!PERIOD_TYPES.includes(type)) {
    throw refused('U002', `Unknown period ${type}`, `${path}.PeriodType`);
  }
  if (alignment !== 'Consent' && (alignment !== 'Calendar' || type === 'Fortnight')) {
    throw refused('U002', `${type} does not take ${alignment}`, `${path}.PeriodAlignment`);
  }
  return { type, alignment, amountPence: amountAt(limit, path) };
}

function checkValidity(parameters: Json, path: string, now: Temporal.Instant): void {
  const from = instantAt(parameters, 'ValidFromDateTime', `${path}.ValidFromDateTime`);
  const to = instantAt(parameters, 'ValidToDateTime', `${path}.ValidToDateTime`);
  const today = londonDate(now);
  // The time of day is ignored, so any time today is not in the past.
  if (from && Temporal.PlainDate.compare(londonDate(from), today) < 0) {
    throw refused('U003', 'ValidFromDateTime lies in the past', `${path}.ValidFromDateTime`);
  }
  const first = from ? londonDate(from) : today;
  if (to && Temporal.PlainDate.compare(londonDate(to), first) < 0) {
    throw refused('U003', 'ValidToDateTime lies before the start', `${path}.ValidToDateTime`);
  }
}

function checkRisk(risk: Json): void {
  const stranger = Object.keys(risk).find((name) => !RISK_MEMBERS.has(name));
  if (stranger) throw refused('U005', `Risk has no member ${stranger}`, `Risk.${stranger}`);
  for (const [name, values] of Object.entries(RISK_VALUES)) {
    const value = risk[name];
    if (value !== undefined && !(typeof value === 'string' && values.test(value)))
      throw refused('U002', `${name} cannot be that`, `Risk.${name}`);
  }
}
