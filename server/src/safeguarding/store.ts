import { columns } from '../platform/db/columns.ts';
import type { Tx } from '../platform/db/db.ts';
import { type List, type Page, readPage } from '../platform/http/lists/page.ts';
import type { Breach, BreachKind } from './breaches.ts';
import type { Books, Run } from './figures.ts';

const BOOKS = `customers_pence, merchants_pence, paying_out_pence, unallocated_pence, receipts_pence, fees_pence, recalled_pence,
  held_pence, clients`;
const COLUMNS = `date, seat, as_of, made_at, ${BOOKS}, issuer_pence, timing_pence, unknown, answered_at, answered_by, answer,
  paid_in_pence, taken_out_pence, (SELECT coalesce(sum(e.paid_in_pence - e.taken_out_pence), 0) FROM safeguarding_runs e
    WHERE e.issuer = r.issuer AND e.date < r.date)::bigint AS own_pence`;

/** The figures of a run, before anybody has answered it. */
export type NewRun = Books &
  Pick<Run, 'date' | 'seat' | 'asOf' | 'madeAt' | 'issuerPence' | 'timingPence' | 'unknown'>;

const ANSWER = ['answered_at', 'answered_by', 'answer'];

/** SQL: whether a run that is made again says something else than what was answered. */
const DIFFERS = `(safeguarding_runs.held_pence, safeguarding_runs.issuer_pence, safeguarding_runs.timing_pence)
  IS DISTINCT FROM (excluded.held_pence, excluded.issuer_pence, excluded.timing_pence)`;

/**
 * Stores a run; it takes the place of one of the same day, unless that compared what this one could not. An answer stays with the
 * figures that it was given for; to others somebody answers again, and the audit trail keeps the first.
 */
export async function putRun(tx: Tx, issuer: string, run: NewRun): Promise<void> {
  const figures = [...BOOKS.split(','), 'issuer_pence', 'timing_pence', 'unknown'].map((name) =>
    name.trim(),
  );
  await tx.run(
    `INSERT INTO safeguarding_runs (issuer, date, seat, as_of, made_at, ${figures.join(', ')})
     VALUES (${Array.from({ length: 5 + figures.length }, (_, n) => `$${n + 1}`).join(', ')})
     ON CONFLICT (issuer, date) DO UPDATE SET seat = excluded.seat, as_of = excluded.as_of, made_at = excluded.made_at,
       ${figures.map((name) => `${name} = excluded.${name}`).join(', ')},
       ${ANSWER.map((name) => `${name} = CASE WHEN ${DIFFERS} THEN NULL ELSE safeguarding_runs.${name} END`).join(', ')}
     WHERE excluded.unknown IS NULL OR safeguarding_runs.unknown IS NOT NULL`,
    [
      issuer,
      run.date,
      run.seat,
      run.asOf,
      run.madeAt,
      run.customersPence,
      run.merchantsPence,
      run.payingOutPence,
      run.unallocatedPence,
      run.receiptsPence,
      run.feesPence,
      run.recalledPence,
      run.heldPence,
      run.clients,
      run.issuerPence,
      run.timingPence,
      run.unknown,
    ],
  );
}

/** Returns a page of runs, newest first. */
export const listRuns = (tx: Tx, issuer: string, page: Page): Promise<List<Run>> =>
  readPage<Run>(
    tx,
    {
      columns: COLUMNS,
      from: 'safeguarding_runs r WHERE issuer = $1',
      values: [issuer],
      order: { by: { date: 'date' }, isDescending: true },
    },
    page,
  );

/** Returns the runs of the days from one to another, both included, oldest first. */
export const findRuns = (
  tx: Tx,
  issuer: string,
  from: Temporal.PlainDate,
  to: Temporal.PlainDate,
): Promise<Run[]> =>
  tx.rows<Run>(
    `SELECT ${COLUMNS} FROM safeguarding_runs r WHERE issuer = $1 AND date BETWEEN $2 AND $3 ORDER BY date`,
    [issuer, from, to],
  );

/** Returns the run of a day, or null. */
export const findRun = (tx: Tx, issuer: string, date: Temporal.PlainDate): Promise<Run | null> =>
  tx.row<Run>(`SELECT ${COLUMNS} FROM safeguarding_runs r WHERE issuer = $1 AND date = $2`, [
    issuer,
    date,
  ]);

/** What a person says about a run. */
export interface Answer {
  who: string;
  says: string;
  paidInPence: number;
  takenOutPence: number;
}

/** Records what a person says about a run. Returns false if there is none, or if it was answered before. */
export async function putAnswer(
  tx: Tx,
  now: Temporal.Instant,
  { issuer, date }: { issuer: string; date: Temporal.PlainDate },
  { who, says, paidInPence, takenOutPence }: Answer,
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE safeguarding_runs SET answered_at = $3, answered_by = $4, answer = $5, paid_in_pence = paid_in_pence + $6,
       taken_out_pence = taken_out_pence + $7
     WHERE issuer = $1 AND date = $2 AND answered_at IS NULL`,
    [issuer, date, now, who, says, paidInPence, takenOutPence],
  );
  return changed === 1;
}

/** A breach in the register. */
export interface StoredBreach extends Breach {
  foundAt: Temporal.Instant;
  explainedAt: Temporal.Instant | null;
  explainedBy: string | null;
  explanation: string | null;
}

/** Adds breaches to the register, each once; one that is there already only learns when it ended. Returns how many are new. */
export async function putBreaches(
  tx: Tx,
  issuer: string,
  breaches: readonly Breach[],
  now: Temporal.Instant,
): Promise<number> {
  if (breaches.length === 0) return 0;
  const rows = await tx.rows<{ isNew: boolean }>(
    `INSERT INTO safeguarding_breaches (issuer, kind, about, merchant_id, amount_pence, deadline, ended_at, found_at)
     SELECT $1, b.*, $8::timestamptz FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::timestamptz[],
       $7::timestamptz[]) AS b (kind, about, merchant_id, amount_pence, deadline, ended_at)
     ON CONFLICT (issuer, kind, about) DO UPDATE SET ended_at = coalesce(safeguarding_breaches.ended_at, excluded.ended_at)
     RETURNING found_at = $8::timestamptz AS is_new`,
    [
      issuer,
      ...columns(breaches, 'kind', 'about', 'merchantId', 'amountPence', 'deadline', 'endedAt'),
      now,
    ],
  );
  return rows.filter(({ isNew }) => isNew).length;
}

const BREACH = `kind, about, merchant_id, amount_pence, deadline, found_at, ended_at, explained_at, explained_by, explanation`;

/** Returns a page of the register of breaches, newest first; `from` and `to` limit their deadlines. */
export const listBreaches = (
  tx: Tx,
  issuer: string,
  page: Page,
  span: { from?: Temporal.Instant; to?: Temporal.Instant } = {},
): Promise<List<StoredBreach>> =>
  readPage<StoredBreach>(
    tx,
    {
      columns: BREACH,
      from: `safeguarding_breaches WHERE issuer = $1 AND deadline >= coalesce($2::timestamptz, '-infinity')
        AND deadline < coalesce($3::timestamptz, 'infinity')`,
      values: [issuer, span.from ?? null, span.to ?? null],
      order: { by: { deadline: 'instant', kind: 'text', about: 'text' }, isDescending: true },
    },
    page,
  );

/** Records why a breach happened and what was done. Returns false if there is no such breach. */
export async function putExplanation(
  tx: Tx,
  now: Temporal.Instant,
  { issuer, kind, about }: { issuer: string; kind: BreachKind; about: string },
  { who, says }: { who: string; says: string },
): Promise<boolean> {
  const changed = await tx.run(
    `UPDATE safeguarding_breaches SET explained_at = $4, explained_by = $5, explanation = $6
     WHERE issuer = $1 AND kind = $2 AND about = $3`,
    [issuer, kind, about, now, who, says],
  );
  return changed === 1;
}

/** Returns the days from which on breaches may change: of the last run before a month ago, and of the oldest that stands. */
export async function findOldestOpen(
  tx: Tx,
  issuer: string,
  today: Temporal.PlainDate,
): Promise<Temporal.PlainDate[]> {
  const rows = await tx.rows<{ day: Temporal.PlainDate | null }>(
    `SELECT max(date) AS day FROM safeguarding_runs WHERE issuer = $1 AND date < $2::date
     UNION ALL SELECT min(about::date) FROM safeguarding_breaches WHERE issuer = $1 AND ended_at IS NULL AND kind <> 'receipt'`,
    [issuer, today],
  );
  return rows.flatMap(({ day }) => (day === null ? [] : [day]));
}

/** Returns the operator's own money that is paid in, by all answers. */
export async function sumOwn(tx: Tx, issuer: string): Promise<number> {
  const row = await tx.row<{ pence: number }>(
    `SELECT coalesce(sum(paid_in_pence - taken_out_pence), 0)::bigint AS pence FROM safeguarding_runs WHERE issuer = $1`,
    [issuer],
  );
  return row?.pence ?? 0;
}
