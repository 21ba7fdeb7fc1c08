import type { FastifyInstance } from 'fastify';
import { type PaperDocument, renderPdf } from '../../platform/documents/pdf.ts';
import type { Route } from '../../platform/http/calls/route.ts';
import type { Guard } from '../../platform/http/mount.ts';
import type { Platform } from '../../platform/platform.ts';
import { describeAmount } from '../../schedules/terms/describe.ts';
import { addFile, sendFile } from '../export.ts';
import type { Statement, StatementKind } from './statement-view.ts';

const WORDS: Readonly<Record<StatementKind, string>> = {
  payments: 'Payments collected',
  refunds: 'Refunds',
  fees: 'Fees',
  recalled: 'Recalled payments, netted',
  settlements: 'Settlements to your account',
  came_back: 'Settlements and refunds that came back',
  other: 'Other',
};

/** Adds the statement of a month as PDF, at the address of the statement with `/pdf`. */
export function addStatementPaper(
  app: FastifyInstance,
  platform: Platform,
  route: Route,
  onRequest: Guard[],
): void {
  addFile(app, platform, { route, ending: 'pdf', onRequest }, async (asked) => {
    const { caller, inputs, reply } = asked;
    const call = { ...inputs, ...caller, idempotencyKey: null, now: platform.clock.now() };
    const statement = await platform.db.forMerchant(
      caller.merchantId,
      async (tx) => (await route.handle({ ...call, tx })) as Statement,
      { onlyReads: true },
    );
    const pdf = await renderPdf(paperOf(statement, platform.config.brand.name));
    return sendFile(reply, `statement-${statement.month}.pdf`, 'application/pdf', pdf);
  });
}

const day = (date: string): string =>
  Temporal.PlainDate.from(date).toLocaleString('en-GB', { dateStyle: 'long' });

/** Returns a statement for people: the balances, what moved, and each day; `brand` is what the service is called. */
function paperOf(statement: Statement, brand: string): PaperDocument {
  const { merchant, currency, time_zone: timeZone } = statement;
  const name = merchant.legal_name === '' ? merchant.name : merchant.legal_name;
  const pounds = (pence: number): string => describeAmount(pence, currency);
  const madeAt = Temporal.Instant.from(statement.as_of);
  const asOf = madeAt
    .toZonedDateTimeISO(timeZone)
    .toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'short' });
  const sum = (what: string, count: string, value: number) => [what, count, pounds(value)];
  return {
    title: `Statement of ${name}, ${day(statement.from)} to ${day(statement.to)}`,
    author: brand,
    madeAt,
    parts: [
      {
        kind: 'facts',
        facts: [
          ['Business', name],
          ['Address', merchant.address],
          ['From', day(statement.from)],
          ['To', day(statement.to)],
          ['As of', `${asOf}, ${timeZone}`],
        ],
      },
      ...(statement.is_complete
        ? []
        : [
            {
              kind: 'text' as const,
              text: 'This month is not over: the closing balance is the present one.',
            },
          ]),
      { kind: 'heading', text: 'Summary' },
      {
        kind: 'table',
        columns: [
          { header: 'What', share: 3 },
          { header: 'Number', isNumber: true },
          { header: 'Amount', isNumber: true },
        ],
        rows: [
          sum('Opening balance', '', statement.opening),
          ...statement.summary.map(({ kind, count, value }) =>
            sum(WORDS[kind], String(count), value),
          ),
          sum('Closing balance', '', statement.closing),
        ],
      },
      {
        kind: 'text',
        text:
          statement.owed === 0
            ? 'Nothing was owed for recalled payments.'
            : `At the end ${pounds(statement.owed)} were owed for recalled payments, netted from the next settlements.`,
      },
      { kind: 'heading', text: 'Day by day' },
      {
        kind: 'table',
        columns: [
          { header: 'Date', share: 2 },
          { header: 'What', share: 3 },
          { header: 'Number', isNumber: true },
          { header: 'Amount', isNumber: true },
          { header: 'Balance', isNumber: true },
        ],
        rows: statement.lines.map(({ date, kind, count, value, balance }) => [
          day(date),
          WORDS[kind],
          String(count),
          pounds(value),
          pounds(balance),
        ]),
      },
      { kind: 'text', text: `Balances are those of the wallet in the ledger of ${brand}.` },
    ],
  };
}
