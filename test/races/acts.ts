import {
  beginConfirmation,
  type Confirmed,
  completeConfirmation,
} from '../../server/src/consents/confirm.ts';
import { readLink } from '../../server/src/consents/service.ts';
import type { Db, SqlValue, Tx } from '../../server/src/platform/db/db.ts';
import { updateSchedule } from '../../server/src/schedules/change/update.ts';
import type { Gate } from '../../server/test-support/gate.ts';
import type { Harness } from '../../server/test-support/harness.ts';
import { asOwner } from '../../server/test-support/owner.ts';

let customers = 0;

/** Returns a phone number that no other customer of the process has. */
export function newPhone(): string {
  customers += 1;
  return `+4477004${String(10_000 + customers)}`;
}

/** Creates schedules, each for its own customer, that are all due now; none of their payments is open yet. */
export async function allDue(h: Harness, count: number): Promise<string[]> {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const ids: string[] = [];
  for (let n = 0; n < count; n++)
    ids.push(
      (await h.agreed({ start_date: start.toString(), customer: { phone: newPhone() } })).id,
    );
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  return ids;
}

/** Creates a schedule that is due now; its payment is not open yet. */
export async function justDue(h: Harness): Promise<string> {
  const [id] = await allDue(h, 1);
  return id ?? '';
}

/** The same, but the limits at the bank would allow a second debit: the consent was for more. */
export async function dueWithRoom(h: Harness): Promise<string> {
  const start = h.clock.at.round('second').add({ hours: 1 });
  const { id } = await h.agreed({ start_date: start.toString(), customer: { phone: newPhone() } });
  await h.update(id, { amount: { value: 2000, currency: 'GBP' } });
  await h.runUntil(start.subtract({ seconds: 1 }));
  h.clock.at = start;
  return id;
}

/** Cancels a schedule for the merchant, requested now, through a database that may delay it. */
export async function cancelOver(
  h: Harness,
  db: Db,
  scheduleId: string,
  merchantId = h.merchantId,
): Promise<void> {
  const now = h.clock.at;
  await db.transaction((tx) =>
    updateSchedule(h.service.schedules, { tx, now, merchantId }, scheduleId, {
      status: 'cancelled',
    }),
  );
}

/** Counts the bank's debits for a payment. */
export function debitsOf(h: Harness, paymentId: string): number {
  return [...h.bank.payments.values()].filter((p) => p.endToEndId.startsWith(paymentId)).length;
}

/** Returns a database that waits at the gate before the first statement that contains `text`. */
export function holdingBefore(db: Db, text: string, gate: Gate): Db {
  let held = false;
  return before(db, async (sql) => {
    if (held || !sql.includes(text)) return;
    held = true;
    await gate.pass();
  });
}

/** Returns a database that loses the connection at every statement that contains `text`. */
export function failingAt(db: Db, text: string): Db {
  return before(db, async (sql) => {
    if (sql.includes(text)) throw new Error('Connection terminated unexpectedly');
  });
}

/** Runs `act` before each statement of a transaction. */
function before(db: Db, act: (sql: string) => Promise<void>): Db {
  const watch = (tx: Tx): Tx => ({
    ...tx,
    rows: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
      await act(sql);
      return tx.rows<R>(sql, values);
    },
    row: async <R extends object>(sql: string, values?: readonly SqlValue[]) => {
      await act(sql);
      return tx.row<R>(sql, values);
    },
    run: async (sql, values) => {
      await act(sql);
      return tx.run(sql, values);
    },
    insert: async (sql, values) => {
      await act(sql);
      return tx.insert(sql, values);
    },
    unawaited: (work) => tx.unawaited(work),
  });
  return { ...db, transaction: (work) => db.transaction((tx) => work(watch(tx))) };
}

/** Makes the table refuse rows that match the condition from now on: rows that break a constraint, whatever the reason. */
export async function breakRows(h: Harness, table: string, when: string): Promise<void> {
  await asOwner(h.db, (tx) =>
    tx.run(`ALTER TABLE ${table} ADD CONSTRAINT broken_row CHECK (NOT (${when})) NOT VALID`),
  );
}

/** Makes the table accept such rows again. */
export async function mendRows(h: Harness, table: string): Promise<void> {
  await asOwner(h.db, (tx) => tx.run(`ALTER TABLE ${table} DROP CONSTRAINT broken_row`));
}

/** Sends the customer of a page to the bank to confirm their consent; returns the state that the bank sends back. */
export async function leaveToConfirm(h: Harness, portalUrl = ''): Promise<string | null> {
  const consent = await readLink(h.platform, portalUrl.split('/').at(-1) ?? '');
  if (consent === null) throw new Error('no such link');
  const begun = await beginConfirmation(h.service.authorisation, consent);
  return begun?.state ?? null;
}

/** Brings the customer back from the bank, where they confirmed or declined. */
export async function comeBack(
  h: Harness,
  state: string | null,
  fragment = 'agreed',
): Promise<Confirmed['outcome']> {
  return (await completeConfirmation(h.service.authorisation, state ?? '', fragment)).outcome;
}

/** Plays the customer who confirms their consent again. */
export async function confirmAgain(h: Harness, portalUrl?: string): Promise<Confirmed['outcome']> {
  return comeBack(h, await leaveToConfirm(h, portalUrl));
}
