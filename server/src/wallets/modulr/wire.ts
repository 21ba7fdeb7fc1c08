import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { wireName } from '../../platform/values/wire-text.ts';
import type {
  AccountDetails,
  IssuerWallet,
  Movement,
  PayoutOrder,
  TransferOrder,
} from '../issuer.ts';
import { fromAccountReference, toPence, toPounds, toStatementText } from './names.ts';
import { failureCode, kindOf, movementStatus } from './statuses.ts';

/** Modulr's JSON, and the only place where it becomes our types. Unknown members are ignored: Modulr may add some. */
type Reader<T> = (json: unknown) => T;

const opt = Type.Optional;
const Text = Type.String();
const Id = Type.String({ minLength: 1 });

const IdentifierJson = Type.Object({
  type: opt(Text),
  sortCode: opt(Text),
  accountNumber: opt(Text),
});

const AccountJson = Type.Object({
  id: Id,
  name: opt(Text),
  customerName: opt(Text),
  balance: Text,
  availableBalance: opt(Text),
  status: Text,
  identifiers: opt(Type.Array(IdentifierJson)),
  externalReference: opt(Text),
});

const PartyJson = Type.Object({ name: opt(Text), identifier: opt(IdentifierJson) });

/** What a payment's `details` hold: of an order, what was ordered; of a pay-in, what is not in Modulr's document. */
const DetailsJson = Type.Object({
  sourceAccountId: opt(Text),
  destination: opt(Type.Object({ id: opt(Text), name: opt(Text), ...IdentifierJson.properties })),
  amount: Type.Number(),
  reference: opt(Text),
  externalReference: opt(Text),
  endToEndReference: opt(Text),
  type: opt(Text),
  accountNumber: opt(Text),
  payer: opt(PartyJson),
  description: opt(Text),
  originalSchemeId: opt(Text),
});

const PaymentJson = Type.Object({
  id: Id,
  status: Id,
  type: opt(Text),
  createdDate: opt(Text),
  externalReference: opt(Text),
  message: opt(Text),
  details: Type.Unknown(),
});

const TransactionJson = Type.Object({
  id: Id,
  amount: Type.Number(),
  credit: Type.Boolean(),
  type: Text,
  postedDate: Text,
  sourceId: Id,
  sourceExternalReference: opt(Text),
  description: opt(Text),
  account: opt(Type.Object({ id: opt(Text), externalReference: opt(Text) })),
});

const pageOf = <T extends TSchema>(item: T) =>
  Type.Object({ content: Type.Array(item), totalPages: opt(Type.Integer()) });

export type TransactionJson = Static<typeof TransactionJson>;

/** A payment, and what of it the port has no word for. */
export interface ReadPayment {
  movement: Movement;
  /** The scheme's id of the pay-out that came back, where it is told. */
  originalSchemeId: string | null;
  isReturned: boolean;
}

function reader<S extends TSchema, T>(schema: S, convert: (json: Static<S>) => T): Reader<T> {
  const compiled = Compile(schema);
  return (json) => {
    if (!compiled.Check(json)) {
      const [first] = compiled.Errors(json);
      throw new Error(`${first?.instancePath || 'the body'} ${first?.message ?? 'is wrong'}`);
    }
    return convert(json as Static<S>);
  };
}

const instantOf = (text: string): Temporal.Instant => Temporal.Instant.from(text);

/** Reads an account. `account` is null while it has no sort code. */
export const readAccount: Reader<IssuerWallet> = reader(AccountJson, (json) => {
  const name = json.name ?? json.customerName ?? '';
  const given = json.identifiers?.find(({ type }) => type === 'SCAN');
  return {
    issuerWalletId: json.id,
    status: json.status === 'CLOSED' ? 'closed' : 'open',
    externalReference: fromAccountReference(json.externalReference) ?? '',
    account: accountOf(name, given),
    balancePence: toPence(json.availableBalance ?? json.balance),
  };
});

function accountOf(
  name: string,
  identifier: Static<typeof IdentifierJson> | undefined,
): AccountDetails | null {
  const { sortCode = '', accountNumber = '' } = identifier ?? {};
  const isUk = /^\d{6}$/.test(sortCode) && /^\d{8}$/.test(accountNumber);
  return isUk ? { sortCode, accountNumber, name } : null;
}

const readDetails = reader(DetailsJson, (json) => json);

/** Reads a payment of either direction. */
export const readPayment: Reader<ReadPayment> = reader(PaymentJson, (json) => {
  const details = readDetails(json.details);
  const isOut =
    json.type === undefined ? details.sourceAccountId !== undefined : json.type === 'PAYOUT';
  const status = movementStatus(json.status);
  const key = json.externalReference || details.externalReference || null;
  const base = {
    movementId: json.id,
    amountPence: toPence(details.amount),
    status,
    error: status === 'failed' ? errorOf(json.status, json.message) : null,
    endToEndId: null,
    originalMovementId: null,
    createdAt: instantOf(json.createdDate ?? ''),
    completedAt: null,
  };
  const movement: Movement = isOut
    ? { ...base, ...outgoing(details, key) }
    : { ...base, ...incoming(details, key) };
  const { originalSchemeId = null } = details;
  return { movement, originalSchemeId, isReturned: json.status === 'RETURNED' };
});

const errorOf = (status: string, message = ''): Movement['error'] => ({
  code: failureCode(status),
  message: message || status,
});

type MovementRest = Pick<
  Movement,
  | 'kind'
  | 'idempotencyKey'
  | 'fromIssuerWalletId'
  | 'toIssuerWalletId'
  | 'reference'
  | 'destination'
  | 'payer'
>;

function outgoing(details: Static<typeof DetailsJson>, key: string | null): MovementRest {
  const { destination } = details;
  const isTransfer = destination?.type === 'ACCOUNT';
  return {
    kind: isTransfer ? 'transfer' : 'payout',
    idempotencyKey: key,
    fromIssuerWalletId: details.sourceAccountId ?? null,
    toIssuerWalletId: isTransfer ? (destination.id ?? null) : null,
    reference: details.endToEndReference ?? details.reference ?? '',
    destination: isTransfer ? null : accountOf(destination?.name ?? '', destination),
    payer: null,
  };
}

function incoming(details: Static<typeof DetailsJson>, key: string | null): MovementRest {
  const kind = kindOf(details.type ?? '', true, key !== null);
  return {
    kind,
    idempotencyKey: kind === 'transfer' ? key : null,
    fromIssuerWalletId: null,
    toIssuerWalletId: details.accountNumber ?? null,
    reference: details.description ?? '',
    destination: null,
    payer: kind === 'payin' ? readParty(details.payer) : null,
  };
}

/** Reads a payer or payee; null unless a UK account is told. */
function readParty(party: Static<typeof PartyJson> | undefined): AccountDetails | null {
  return accountOf(party?.name ?? '', party?.identifier);
}

const readTransaction: Reader<TransactionJson> = reader(TransactionJson, (json) => json);

/** Returns the movement that a credit on an account is. */
export function toCredit(json: TransactionJson, accountId: string): Movement {
  const kind = kindOf(json.type, true, Boolean(json.sourceExternalReference));
  const at = instantOf(json.postedDate);
  return {
    movementId: json.sourceId,
    kind,
    idempotencyKey: kind === 'transfer' ? (json.sourceExternalReference ?? null) : null,
    fromIssuerWalletId: null,
    toIssuerWalletId: accountId,
    amountPence: toPence(json.amount),
    reference: json.description ?? '',
    status: 'settled',
    error: null,
    destination: null,
    payer: null,
    endToEndId: null,
    originalMovementId: null,
    createdAt: at,
    completedAt: at,
  };
}

/** A page of a list. */
export interface Page<T> {
  items: T[];
  /** Null: it is not told, and the list ends with a page that is not full. */
  totalPages: number | null;
}

function pageReader<T>(read: Reader<T>): Reader<Page<T>> {
  return reader(pageOf(Type.Unknown()), ({ content, totalPages = null }) => ({
    items: content.map(read),
    totalPages,
  }));
}

export const readAccountPage = pageReader(readAccount);
export const readPaymentPage = pageReader(readPayment);
export const readTransactionPage = pageReader(readTransaction);

const NoticeJson = Type.Object({
  EventName: Id,
  EventId: Id,
  EventTime: opt(Text),
  PaymentId: opt(Id),
  AccountId: opt(Id),
  Type: opt(Text),
  SourceExternalReference: opt(Text),
  OriginalSchemeId: opt(Text),
  ReturnReason: opt(Type.Unknown()),
  Payer: opt(
    Type.Object({
      Name: opt(Text),
      Identifier: opt(
        Type.Object({ Type: opt(Text), SortCode: opt(Text), AccountNumber: opt(Text) }),
      ),
    }),
  ),
});

export type NoticeJson = Static<typeof NoticeJson>;

/** Reads a notification. */
export const readNotice: Reader<NoticeJson> = reader(NoticeJson, (json) => json);

/** Returns who paid, as a notification tells it; null unless a UK account is told. */
export function payerIn({ Payer }: NoticeJson): AccountDetails | null {
  const { SortCode, AccountNumber } = Payer?.Identifier ?? {};
  const given = {
    ...(SortCode && { sortCode: SortCode }),
    ...(AccountNumber && { accountNumber: AccountNumber }),
  };
  return accountOf(Payer?.Name ?? '', given);
}

/** Returns the order of a transfer. Our reference goes where a statement does not show it. */
export function toTransferJson(order: TransferOrder) {
  return {
    ...toOrderJson(order),
    destination: { type: 'ACCOUNT', id: order.toIssuerWalletId },
    reference: toStatementText(order.reference),
    endToEndReference: order.reference,
  };
}

export function toPayOutJson(order: PayoutOrder) {
  const { sortCode, accountNumber, name } = order.destination;
  return {
    ...toOrderJson(order),
    destination: { type: 'SCAN', sortCode, accountNumber, name: wireName(name) },
    reference: toStatementText(order.reference),
    endToEndReference: order.reference,
  };
}

function toOrderJson(order: TransferOrder | PayoutOrder) {
  return {
    sourceAccountId: order.fromIssuerWalletId,
    currency: 'GBP',
    amount: toPounds(order.amountPence),
    externalReference: order.idempotencyKey,
  };
}
