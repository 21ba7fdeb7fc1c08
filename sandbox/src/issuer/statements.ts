import { isoInstant } from '../clock.ts';
import type { Params, Store } from '../store.ts';
import { RECALLS_ACCOUNT } from './books.ts';
import type { MovementRow } from './movements.ts';

/** The issuer's books close at midnight in London. */
const TIME_ZONE = 'Europe/London';

/** Returns the start of a day and of the next, as text. */
function boundsOf(date: Temporal.PlainDate): { start: string; end: string } {
  const startOf = (day: Temporal.PlainDate) =>
    isoInstant(day.toZonedDateTime(TIME_ZONE).toInstant());
  return { start: startOf(date), end: startOf(date.add({ days: 1 })) };
}

/** One booking on one of the partner's accounts. */
export interface StatementLine {
  entry_id: number;
  account_id: string;
  external_reference: string | null;
  direction: 'credit' | 'debit';
  amount: number;
  at: string;
  movement_id: string;
  kind: MovementRow['kind'];
  idempotency_key: string | null;
  reference: string;
  end_to_end_id: string | null;
  original_id: string | null;
}

const side = (direction: 'credit' | 'debit') => `
  SELECT e.entry_id * 2 + ${direction === 'credit' ? 1 : 0} AS entry_id, e.${direction}_account AS account_id,
    w.external_reference, '${direction}' AS direction, e.amount, e.at, m.movement_id, m.kind,
    m.idempotency_key, m.reference, m.end_to_end_id, m.original_id
  FROM entries e JOIN movements m ON m.movement_id = e.movement_id
  JOIN accounts a ON a.account_id = e.${direction}_account AND a.kind IN ('wallet', 'recalls')
  LEFT JOIN wallets w ON w.wallet_id = e.${direction}_account
  WHERE e.at >= :start AND e.at < :end`;

/** Returns a page of a day's bookings on all of the partner's accounts, in booking order. */
export function statementLines(
  store: Store,
  date: Temporal.PlainDate,
  page: { after: number; limit: number },
): StatementLine[] {
  return store.all<StatementLine>(
    `SELECT * FROM (${side('debit')} UNION ALL ${side('credit')})
     WHERE entry_id > :after ORDER BY entry_id LIMIT :limit`,
    { ...boundsOf(date), ...page } satisfies Params,
  );
}

/** An account's opening and closing balance of a day, and its current balance. */
export interface AccountBalances {
  seq: number;
  account_id: string;
  external_reference: string | null;
  status: string;
  opening: number;
  closing: number;
  current: number;
}

const since = (bound: string) => `
  coalesce((SELECT sum(amount) FROM entries WHERE credit_account = p.account_id AND at >= ${bound}), 0)
  - coalesce((SELECT sum(amount) FROM entries WHERE debit_account = p.account_id AND at >= ${bound}), 0)`;

/** Returns a page of the balances of all of the partner's accounts; the recalls account comes first, at sequence 0. */
export function accountBalances(
  store: Store,
  date: Temporal.PlainDate,
  page: { after: number; limit: number },
): AccountBalances[] {
  return store.all<AccountBalances>(
    `WITH p AS (
       SELECT * FROM (
         SELECT 0 AS seq, '${RECALLS_ACCOUNT}' AS account_id, NULL AS external_reference, 'open' AS status
         UNION ALL SELECT seq, wallet_id, external_reference, status FROM wallets)
       WHERE seq > :after ORDER BY seq LIMIT :limit)
     SELECT p.*, a.balance AS current, a.balance - (${since(':start')}) AS opening,
       a.balance - (${since(':end')}) AS closing
     FROM p JOIN accounts a ON a.account_id = p.account_id ORDER BY p.seq`,
    { ...boundsOf(date), ...page } satisfies Params,
  );
}
