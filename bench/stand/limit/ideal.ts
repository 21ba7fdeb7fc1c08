import { asOwner } from '../../../server/test-support/owner.ts';
import { BATCH } from '../pgbench.ts';
import { AMOUNT_PENCE } from '../seed.ts';
import type { World } from '../world.ts';

/** The minimum that could be called a collection: five narrow tables, no constraints except keys, one statement for 500. */
const TABLES = `
  CREATE TABLE ideal_schedules (id bigint PRIMARY KEY, due_at timestamptz NOT NULL, pence bigint NOT NULL,
    wallet bigint NOT NULL);
  CREATE INDEX ideal_due ON ideal_schedules (due_at);
  CREATE TABLE ideal_accounts (id bigint PRIMARY KEY, pence bigint NOT NULL) WITH (fillfactor = 50);
  CREATE TABLE ideal_payments (schedule_id bigint, due_at timestamptz, pence bigint NOT NULL, status text NOT NULL,
    PRIMARY KEY (schedule_id, due_at));
  CREATE TABLE ideal_postings (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, account_id bigint NOT NULL,
    schedule_id bigint NOT NULL, pence bigint NOT NULL);
  CREATE TABLE ideal_events (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, body text NOT NULL);
  INSERT INTO ideal_accounts VALUES (0, 0), (-1, 0)`;

const SCHEDULES = `
  WITH new AS (
    INSERT INTO ideal_schedules
    SELECT n, now(), ${AMOUNT_PENCE}, n FROM generate_series((SELECT coalesce(max(id), 0) + 1 FROM ideal_schedules),
      (SELECT coalesce(max(id), 0) FROM ideal_schedules) + $1::bigint) AS n RETURNING wallet
  )
  INSERT INTO ideal_accounts SELECT wallet, 0 FROM new`;

const COLLECT = `
  WITH due AS (
    SELECT id, due_at, pence, wallet FROM ideal_schedules WHERE due_at <= now() ORDER BY due_at LIMIT ${BATCH}
    FOR UPDATE SKIP LOCKED
  ), moved AS (
    UPDATE ideal_schedules s SET due_at = s.due_at + interval '1 month' FROM due d WHERE s.id = d.id
  ), paid AS (
    INSERT INTO ideal_payments SELECT id, due_at, pence, 'success' FROM due
  ), posted AS (
    INSERT INTO ideal_postings (account_id, schedule_id, pence)
    SELECT -1, id, -pence FROM due UNION ALL SELECT wallet, id, pence FROM due
    UNION ALL SELECT wallet, id, -pence FROM due UNION ALL SELECT 0, id, pence FROM due
  ), told AS (
    INSERT INTO ideal_events (body)
    SELECT json_build_object('event', 'collection.success', 'schedule', id, 'pence', pence)::text FROM due
  )
  UPDATE ideal_accounts a SET pence = a.pence + c.pence
  FROM (SELECT -1 AS id, -sum(pence) AS pence FROM due UNION ALL SELECT 0, sum(pence) FROM due
        UNION ALL SELECT wallet, 0 FROM due) c
  WHERE a.id = c.id`;

/** Creates the tables, with the account of everybody outside and that of the merchant. */
export async function createIdealTables({ db }: World): Promise<void> {
  for (const statement of TABLES.split(';')) await asOwner(db, (tx) => tx.run(statement));
}

/** Creates this many due schedules. */
export async function seedIdeal({ db }: World, count: number): Promise<void> {
  await asOwner(db, (tx) => tx.run(SCHEDULES, [count]));
}

/** Collects up to 500 that are due. */
export const IDEAL: readonly string[] = [COLLECT];
