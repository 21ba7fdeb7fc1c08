import { isoInstant } from '../clock.ts';
import type { Params, Store } from '../store.ts';
import { IssuerError, idempotencyConflict } from './errors.ts';
import { isOn } from './modes.ts';

/** UK account details with the name of the holder. */
export interface BankAccount {
  sort_code: string;
  account_number: string;
  name: string;
}

/** Why a movement failed. */
export interface MovementFailure {
  code: string;
  message: string;
}

/** A movement as stored; amounts in pence, instants as text. */
export interface MovementRow {
  seq: number;
  movement_id: string;
  kind: 'transfer' | 'payout' | 'payin' | 'payout_return' | 'payin_recall';
  idempotency_key: string | null;
  payment_id: string | null;
  from_wallet: string | null;
  to_wallet: string | null;
  amount: number;
  reference: string;
  status: 'pending' | 'settled' | 'failed';
  error_code: string | null;
  error_message: string | null;
  party_sort_code: string | null;
  party_account_number: string | null;
  party_name: string | null;
  end_to_end_id: string | null;
  /** The pay-out that was returned, or the pay-in that was recalled. */
  original_id: string | null;
  due_at: string | null;
  created_at: string;
  completed_at: string | null;
}

/** A movement before it gets its sequence number. */
export type NewMovement = Omit<MovementRow, 'seq'>;

const COLUMNS = [
  'movement_id',
  'kind',
  'idempotency_key',
  'payment_id',
  'from_wallet',
  'to_wallet',
  'amount',
  'reference',
  'status',
  'error_code',
  'error_message',
  'party_sort_code',
  'party_account_number',
  'party_name',
  'end_to_end_id',
  'original_id',
  'due_at',
  'created_at',
  'completed_at',
] as const satisfies readonly (keyof NewMovement)[];

const INSERT = `INSERT INTO movements (${COLUMNS.join(', ')})
  VALUES (${COLUMNS.map((column) => `:${column}`).join(', ')})`;

/** Stores a movement. */
export function insertMovement(store: Store, movement: NewMovement): void {
  store.run(INSERT, { ...movement });
}

/**
 * Returns a movement for the API: a payout with its destination, a pay-in with its payer, a return or recall with its original.
 */
export function movementView(row: NewMovement) {
  const failed = row.error_code !== null;
  const party = { sort_code: row.party_sort_code, account_number: row.party_account_number };
  return {
    movement_id: row.movement_id,
    kind: row.kind,
    idempotency_key: row.idempotency_key,
    from: row.from_wallet,
    to: row.to_wallet,
    amount: { value: row.amount, currency: 'GBP' },
    reference: row.reference,
    status: row.status,
    error: failed ? { code: row.error_code, message: row.error_message } : null,
    ...(row.kind === 'payout' ? { destination: { ...party, name: row.party_name } } : {}),
    ...(row.kind === 'payin'
      ? { ...endToEndId(row), payer: { ...party, name: row.party_name } }
      : {}),
    ...(row.original_id === null ? {} : { original_movement_id: row.original_id }),
    created_at: row.created_at,
    completed_at: row.completed_at,
  };
}

/** Omitted, not null, if the issuer does not pass it on. */
function endToEndId({ end_to_end_id }: NewMovement): { end_to_end_id?: string } {
  return end_to_end_id === null ? {} : { end_to_end_id };
}

/** Returns the movement with this id. Throws 404 `unknown_movement`. */
export function getMovement(store: Store, movementId: string): MovementRow {
  const row = store.get<MovementRow>('SELECT * FROM movements WHERE movement_id = :movementId', {
    movementId,
  });
  if (row) return row;
  throw new IssuerError(404, 'unknown_movement', `There is no movement ${movementId}`);
}

/** Lifetime of an idempotency key where keys expire. */
const KEY_LIFETIME = Temporal.Duration.from({ hours: 24 });

/** Returns the time since which keys are remembered; an empty string if they never expire. */
export function keysSince(store: Store, now: Temporal.Instant): string {
  return isOn(store, 'expiring_keys') ? isoInstant(now.subtract(KEY_LIFETIME)) : '';
}

/** Returns the latest movement ordered under this key, if the key has not expired, or undefined. */
export function findByKey(
  store: Store,
  idempotencyKey: string,
  now: Temporal.Instant,
): MovementRow | undefined {
  return store.get<MovementRow>(
    `SELECT * FROM movements WHERE idempotency_key = :idempotencyKey AND created_at >= :since
     ORDER BY seq DESC LIMIT 1`,
    { idempotencyKey, since: keysSince(store, now) },
  );
}

const ORDERED = [
  'kind',
  'from_wallet',
  'to_wallet',
  'amount',
  'reference',
  'party_sort_code',
  'party_account_number',
  'party_name',
] as const satisfies readonly (keyof NewMovement)[];

/** Throws 409 `idempotency_conflict` unless both were ordered with the same content. */
export function assertSameOrder(known: NewMovement, wanted: NewMovement, key: string): void {
  if (!isSameOrder(known, wanted)) throw idempotencyConflict(key);
}

/** Returns true if two movements were ordered with the same content, regardless of their outcomes. */
export function isSameOrder(known: NewMovement, wanted: NewMovement): boolean {
  return ORDERED.every((column) => known[column] === wanted[column]);
}

/** Which movements to list; `after` is the sequence number of the last one already seen. */
export interface MovementFilter {
  walletId?: string;
  /** Only those ordered with this reference. */
  reference?: string;
  since?: string;
  after: number;
  limit: number;
}

/** Lists movements in the order in which they were made. */
export function listMovements(store: Store, filter: MovementFilter): MovementRow[] {
  const { walletId, reference, since = '', after, limit } = filter;
  const page = { since, after, limit };
  if (reference !== undefined) {
    return store.all<MovementRow>(
      `SELECT * FROM movements WHERE reference = :reference AND seq > :after AND created_at >= :since
         AND (:walletId IS NULL OR from_wallet = :walletId OR to_wallet = :walletId)
       ORDER BY seq LIMIT :limit`,
      { ...page, reference, walletId: walletId ?? null },
    );
  }
  if (walletId === undefined) {
    return store.all<MovementRow>(
      `SELECT * FROM movements WHERE seq > :after AND created_at >= :since
       ORDER BY seq LIMIT :limit`,
      page,
    );
  }
  const side = (column: string) => `SELECT * FROM (SELECT * FROM movements
    WHERE ${column} = :walletId AND seq > :after AND created_at >= :since
    ORDER BY seq LIMIT :limit)`;
  return store.all<MovementRow>(
    `${side('from_wallet')} UNION ${side('to_wallet')} ORDER BY seq LIMIT :limit`,
    { ...page, walletId } satisfies Params,
  );
}
