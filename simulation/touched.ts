import type { Db, Tx } from '../server/src/platform/db/db.ts';
import { asOwner } from '../server/test-support/owner.ts';

/** A row that was written since the last look. */
export interface Touched {
  kind: 'payment' | 'settlement' | 'transfer';
  merchantId: string;
  id: string;
  /** Of a transfer. */
  debit: string | null;
  credit: string | null;
  pence: number | null;
}

/** Notes what is written, in the transaction that writes it, whoever writes it. */
const NOTE = `CREATE FUNCTION note_touched() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF TG_TABLE_NAME = 'transfers' THEN
    INSERT INTO touched VALUES ('transfer', NEW.merchant_id, NEW.transfer_id, NEW.debit_account_id,
      NEW.credit_account_id, NEW.amount_pence);
  ELSIF TG_TABLE_NAME = 'settlements' THEN
    INSERT INTO touched VALUES ('settlement', NEW.merchant_id, NEW.settlement_id);
  ELSIF TG_TABLE_NAME = 'events' THEN
    IF starts_with(NEW.kind, 'collection.') THEN
      INSERT INTO touched VALUES ('payment', NEW.merchant_id, NEW.subject_id);
    END IF;
  ELSE
    INSERT INTO touched VALUES ('payment', NEW.merchant_id, NEW.payment_id);
  END IF;
  RETURN NULL;
END $$`;

/** Tells what was written since the last look, each row of it as often as it was. */
export type Watch = () => Promise<Touched[]>;

/** Watches the books of money of a database. */
export async function watchWrites(db: Db): Promise<Watch> {
  if (await db.isOnCluster()) return watchEverything(db);
  await asOwner(db, noteTouched);
  return () => drainTouched(db);
}

async function noteTouched(tx: Tx): Promise<void> {
  await tx.run(
    `CREATE UNLOGGED TABLE touched (kind text, merchant_id text, id text, debit text, credit text, pence bigint)`,
  );
  await tx.run('GRANT SELECT, DELETE ON touched TO recollect_engine');
  await tx.run(NOTE);
  for (const table of ['payments', 'attempts', 'settlements', 'transfers', 'events'])
    await tx.run(
      `CREATE TRIGGER note_touched AFTER INSERT${table === 'events' ? '' : ' OR UPDATE'} ON ${table}
       FOR EACH ROW EXECUTE FUNCTION note_touched()`,
    );
}

function drainTouched(db: Db): Promise<Touched[]> {
  return db.read((tx) =>
    tx.rows<Touched>('DELETE FROM touched RETURNING kind, merchant_id, id, debit, credit, pence'),
  );
}

const NOTHING_MOVED = 'NULL AS debit, NULL AS credit, NULL::bigint AS pence';
const EVERYTHING = [
  `SELECT 'payment' AS kind, merchant_id, payment_id AS id, ${NOTHING_MOVED} FROM payments`,
  `SELECT 'settlement' AS kind, merchant_id, settlement_id AS id, ${NOTHING_MOVED} FROM settlements`,
  `SELECT 'transfer' AS kind, merchant_id, transfer_id AS id, debit_account_id AS debit, credit_account_id AS credit,
    amount_pence AS pence FROM transfers`,
];

/** The tables of a cluster have no triggers: each look is at all there is, and at the transfers that are new. */
function watchEverything(db: Db): Watch {
  const seen = new Set<string>();
  const isNew = ({ kind, id }: Touched): boolean =>
    kind !== 'transfer' || (!seen.has(id) && seen.add(id) !== undefined);
  return async () => {
    const rows = await Promise.all(EVERYTHING.map((sql) => db.read((tx) => tx.rows<Touched>(sql))));
    return rows.flat().filter(isNew);
  };
}
