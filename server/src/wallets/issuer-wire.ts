import { type Static, type TSchema, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import {
  ISSUER_PAYEE_REASONS,
  PAYEE_RESULTS,
  type PayeeAnswer,
} from '../merchants/settlement-account/payee-check.ts';
import { wireName } from '../platform/values/wire-text.ts';
import type {
  AccountDetails,
  IssuerBalance,
  IssuerNotification,
  IssuerWallet,
  Movement,
  PayoutOrder,
  StatementLine,
  TransferOrder,
  WalletReservation,
} from './issuer.ts';

/**
 * The issuer's JSON, and the only place where it becomes our types. Unknown members are ignored, so that the issuer may add
 * some.
 */
const AccountJson = Type.Object({
  sort_code: Type.String({ pattern: '^[0-9]{6}$' }),
  account_number: Type.String({ pattern: '^[0-9]{8}$' }),
  name: Type.String(),
});

const amountJson = (minimum: number) =>
  Type.Object({
    value: Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER }),
    currency: Type.Literal('GBP'),
  });

const InstantJson = Type.String({
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z$',
});

const WalletJson = Type.Object({
  wallet_id: Type.String({ minLength: 1 }),
  status: Type.Union([Type.Literal('reserved'), Type.Literal('open'), Type.Literal('closed')]),
  external_reference: Type.String(),
  account: AccountJson,
  balance: amountJson(0),
});

const ErrorJson = Type.Object({ code: Type.String(), message: Type.String() });
const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()]);

const KindJson = Type.Union([
  Type.Literal('transfer'),
  Type.Literal('payout'),
  Type.Literal('payin'),
  Type.Literal('payout_return'),
  Type.Literal('payin_recall'),
]);

const MovementJson = Type.Object({
  movement_id: Type.String({ minLength: 1 }),
  kind: KindJson,
  idempotency_key: nullable(Type.String()),
  from: nullable(Type.String()),
  to: nullable(Type.String()),
  amount: amountJson(1),
  reference: Type.String(),
  status: Type.Union([Type.Literal('pending'), Type.Literal('settled'), Type.Literal('failed')]),
  error: nullable(ErrorJson),
  destination: Type.Optional(AccountJson),
  payer: Type.Optional(nullable(AccountJson)),
  end_to_end_id: Type.Optional(nullable(Type.String())),
  original_movement_id: Type.Optional(Type.String()),
  created_at: InstantJson,
  completed_at: nullable(InstantJson),
});

const NameCheckJson = Type.Object({
  check_id: Type.String(),
  result: Type.Union(PAYEE_RESULTS.map((result) => Type.Literal(result))),
  reason: nullable(Type.Union(ISSUER_PAYEE_REASONS.map((reason) => Type.Literal(reason)))),
  name: nullable(Type.String()),
});

const TransferResultJson = Type.Object({ movement: nullable(MovementJson) });
/** Each result is read separately: one that cannot be read must not block the others. */
const TransferResultsJson = Type.Object({ results: Type.Array(Type.Unknown()) });

const MovementPageJson = Type.Object({
  movements: Type.Array(MovementJson),
  next_cursor: nullable(Type.String()),
});

const PayInJson = Type.Object({
  movement_id: Type.String({ minLength: 1 }),
  amount: amountJson(1),
  // Issuers' notifications of inbound Faster Payments often lack them.
  end_to_end_id: Type.Optional(nullable(Type.String())),
  reference: Type.Optional(Type.String()),
  payer: Type.Optional(nullable(AccountJson)),
});

const movementFields = {
  event_id: Type.String({ minLength: 1 }),
  at: InstantJson,
  wallet_id: Type.String(),
  external_reference: Type.String(),
};

const NotificationJson = Type.Union([
  Type.Object({ kind: Type.Literal('payin.received'), ...movementFields, payin: PayInJson }),
  Type.Object({
    kind: Type.Literal('movement.changed'),
    ...movementFields,
    movement: MovementJson,
  }),
  Type.Object({ kind: Type.Literal('wallet.changed'), ...movementFields }),
  Type.Object({
    kind: Type.Union([Type.Literal('payout.returned'), Type.Literal('payin.recalled')]),
    ...movementFields,
    movement: MovementJson,
    reason: ErrorJson,
  }),
]);

const StatementPageJson = Type.Object({
  lines: Type.Array(
    Type.Object({
      line_id: Type.String(),
      wallet_id: Type.String(),
      external_reference: nullable(Type.String()),
      direction: Type.Union([Type.Literal('credit'), Type.Literal('debit')]),
      amount: amountJson(1),
      booked_at: InstantJson,
      movement_id: Type.String(),
      kind: KindJson,
      idempotency_key: nullable(Type.String()),
      reference: Type.String(),
    }),
  ),
  next_cursor: nullable(Type.String()),
});

const BalancePageJson = Type.Object({
  balances: Type.Array(
    Type.Object({
      wallet_id: Type.String(),
      external_reference: nullable(Type.String()),
      current: amountJson(Number.MIN_SAFE_INTEGER),
    }),
  ),
  next_cursor: nullable(Type.String()),
});

/** Turns a parsed response into its type; throws an Error naming the first member that does not fit. */
export type Reader<T> = (json: unknown) => T;

function reader<S extends TSchema, T>(schema: S, convert: (json: Static<S>) => T): Reader<T> {
  const compiled = Compile(schema);
  return (json) => {
    if (compiled.Check(json)) return convert(json as Static<S>);
    const first = compiled.Errors(json)[0];
    throw new Error(
      `the issuer's JSON does not fit at ${first?.instancePath || '/'}: ${first?.message}`,
    );
  };
}

export const readWalletJson: Reader<IssuerWallet> = reader(WalletJson, fromWallet);

/** Reads wallets, oldest first. */
export const readWalletList: Reader<IssuerWallet[]> = reader(
  Type.Object({ wallets: Type.Array(WalletJson) }),
  ({ wallets }) => wallets.map(fromWallet),
);

export const readMovementJson: Reader<Movement> = reader(MovementJson, fromMovement);

const readTransferResult: Reader<Movement | null> = reader(TransferResultJson, ({ movement }) =>
  movement === null ? null : fromMovement(movement),
);

/** Reads the movements of a batch; a result without one, or with one that cannot be read, is left out. */
export const readTransferResults: Reader<Movement[]> = reader(TransferResultsJson, ({ results }) =>
  results.map(readOrNull).filter((movement) => movement !== null),
);

function readOrNull(result: unknown): Movement | null {
  try {
    return readTransferResult(result);
  } catch {
    return null; // the caller finds it missing, and retries under the same key
  }
}

/** A page of a list, and where the next one begins; null: this is the last one. */
export interface Page<T> {
  items: T[];
  nextCursor: string | null;
}

export const readMovementPage: Reader<Page<Movement>> = reader(MovementPageJson, (json) => ({
  items: json.movements.map(fromMovement),
  nextCursor: json.next_cursor,
}));

export const readStatementPage: Reader<Page<StatementLine>> = reader(StatementPageJson, (json) => ({
  items: json.lines.map((line) => ({
    lineId: line.line_id,
    issuerWalletId: line.wallet_id,
    externalReference: line.external_reference,
    direction: line.direction,
    amountPence: line.amount.value,
    bookedAt: Temporal.Instant.from(line.booked_at),
    movementId: line.movement_id,
    kind: line.kind,
    idempotencyKey: line.idempotency_key,
    reference: line.reference,
  })),
  nextCursor: json.next_cursor,
}));

export const readBalancePage: Reader<Page<IssuerBalance>> = reader(BalancePageJson, (json) => ({
  items: json.balances.map((balance) => ({
    issuerWalletId: balance.wallet_id,
    externalReference: balance.external_reference,
    currentPence: balance.current.value,
  })),
  nextCursor: json.next_cursor,
}));

/** Reads the answer about a name. */
export const readNameCheckJson: Reader<PayeeAnswer> = reader(NameCheckJson, (json) => ({
  result: json.result,
  reason: json.reason,
  bankName: json.name,
  evidence: json.check_id,
}));

export const readErrorJson: Reader<{ code: string; message: string }> = reader(
  Type.Object({ error: ErrorJson }),
  (json) => json.error,
);

export const readNotificationJson: Reader<IssuerNotification> = reader(NotificationJson, (json) => {
  const common = {
    eventId: json.event_id,
    at: Temporal.Instant.from(json.at),
    issuerWalletId: json.wallet_id,
    externalReference: json.external_reference,
  };
  switch (json.kind) {
    case 'payin.received':
      return { ...common, kind: json.kind, payIn: fromPayIn(json.payin) };
    case 'movement.changed':
      return { ...common, kind: json.kind, movement: fromMovement(json.movement) };
    case 'wallet.changed':
      return { ...common, kind: json.kind };
    case 'payout.returned':
    case 'payin.recalled': {
      const { kind, reason } = json;
      return { ...common, kind, movement: fromMovement(json.movement), reason };
    }
  }
});

function fromWallet(json: Static<typeof WalletJson>): IssuerWallet {
  return {
    issuerWalletId: json.wallet_id,
    status: json.status,
    externalReference: json.external_reference,
    account: fromAccount(json.account),
    balancePence: json.balance.value,
  };
}

function fromAccount(json: Static<typeof AccountJson>): AccountDetails {
  return { sortCode: json.sort_code, accountNumber: json.account_number, name: json.name };
}

function fromPayIn(json: Static<typeof PayInJson>) {
  return {
    movementId: json.movement_id,
    amountPence: json.amount.value,
    endToEndId: json.end_to_end_id ?? null,
    reference: json.reference ?? '',
    payer: json.payer ? fromAccount(json.payer) : null,
  };
}

function fromMovement(json: Static<typeof MovementJson>): Movement {
  return {
    movementId: json.movement_id,
    kind: json.kind,
    idempotencyKey: json.idempotency_key,
    fromIssuerWalletId: json.from,
    toIssuerWalletId: json.to,
    amountPence: json.amount.value,
    reference: json.reference,
    status: json.status,
    error: json.error,
    destination: json.destination ? fromAccount(json.destination) : null,
    payer: json.payer ? fromAccount(json.payer) : null,
    endToEndId: json.end_to_end_id ?? null,
    originalMovementId: json.original_movement_id ?? null,
    createdAt: Temporal.Instant.from(json.created_at),
    completedAt: json.completed_at === null ? null : Temporal.Instant.from(json.completed_at),
  };
}

export function toReservationJson({ externalReference, holder }: WalletReservation) {
  return {
    external_reference: externalReference,
    holder: { kind: holder.kind, name: wireName(holder.name) },
  };
}

export function toTransferJson(order: TransferOrder) {
  return {
    idempotency_key: order.idempotencyKey,
    from: order.fromIssuerWalletId,
    to: order.toIssuerWalletId,
    amount: { value: order.amountPence, currency: 'GBP' },
    reference: order.reference,
  };
}

/** Returns an account as the issuer takes it. */
export function toAccountJson({ sortCode, accountNumber, name }: AccountDetails) {
  return { sort_code: sortCode, account_number: accountNumber, name: wireName(name) };
}

export function toPayoutJson(order: PayoutOrder) {
  return {
    from: order.fromIssuerWalletId,
    destination: toAccountJson(order.destination),
    amount: { value: order.amountPence, currency: 'GBP' },
    reference: order.reference,
  };
}
