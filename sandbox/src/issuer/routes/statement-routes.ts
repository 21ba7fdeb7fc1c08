import type { FastifyInstance } from 'fastify';
import { IssuerError } from '../errors.ts';
import { SCHEMAS } from '../http.ts';
import type { Issuer } from '../issuer.ts';
import {
  type AccountBalances,
  accountBalances,
  type StatementLine,
  statementLines,
} from '../statements.ts';

interface PageQuery {
  date?: string;
  limit?: string;
  cursor?: string;
}

const DEFAULT_PAGE = 1_000;
const BEFORE_FIRST_POSITION = -1;

const querystring = {
  type: 'object',
  additionalProperties: false,
  properties: {
    date: SCHEMAS.shortText,
    limit: { type: 'string', pattern: '^([1-9][0-9]{0,2}|1000)$' },
    cursor: { type: 'string', pattern: '^[0-9]{1,15}$' },
  },
};

/** Registers the endpoints for a day's statement of all the partner's accounts, and for their balances, both paginated. */
export function statementRoutes(server: FastifyInstance, { store, clock }: Issuer): void {
  const dayOf = (text: string | undefined): Temporal.PlainDate => {
    if (text === undefined) return clock.now().toZonedDateTimeISO('Europe/London').toPlainDate();
    try {
      return Temporal.PlainDate.from(text);
    } catch {
      throw new IssuerError(400, 'invalid_request', 'date must be a date such as 2026-11-23');
    }
  };
  const pageOf = (query: PageQuery) => ({
    after: query.cursor === undefined ? BEFORE_FIRST_POSITION : Number(query.cursor),
    limit: Number(query.limit ?? DEFAULT_PAGE),
  });
  server.get<{ Querystring: PageQuery }>(
    '/statement',
    { schema: { querystring } },
    async ({ query }) => {
      const [date, page] = [dayOf(query.date), pageOf(query)];
      const rows = statementLines(store, date, page);
      const last = rows.length === page.limit ? rows.at(-1) : undefined;
      const next_cursor = last ? String(last.entry_id) : null;
      return { date: date.toString(), lines: rows.map(lineView), next_cursor };
    },
  );
  server.get<{ Querystring: PageQuery }>(
    '/balances',
    { schema: { querystring } },
    async ({ query }) => {
      const [date, page] = [dayOf(query.date), pageOf(query)];
      const rows = accountBalances(store, date, page);
      const last = rows.length === page.limit ? rows.at(-1) : undefined;
      const next_cursor = last ? String(last.seq) : null;
      return { date: date.toString(), balances: rows.map(balanceView), next_cursor };
    },
  );
}

const money = (value: number) => ({ value, currency: 'GBP' });

function lineView(row: StatementLine) {
  return {
    line_id: String(row.entry_id),
    wallet_id: row.account_id,
    external_reference: row.external_reference,
    direction: row.direction,
    amount: money(row.amount),
    booked_at: row.at,
    movement_id: row.movement_id,
    kind: row.kind,
    idempotency_key: row.idempotency_key,
    reference: row.reference,
    ...(row.end_to_end_id === null ? {} : { end_to_end_id: row.end_to_end_id }),
    ...(row.original_id === null ? {} : { original_movement_id: row.original_id }),
  };
}

function balanceView(row: AccountBalances) {
  return {
    wallet_id: row.account_id,
    external_reference: row.external_reference,
    status: row.status,
    opening: money(row.opening),
    closing: money(row.closing),
    current: money(row.current),
  };
}
