import { type ItemRow, listItems } from '../server/src/payments/books/unallocated-store.ts';
import { endUnallocated, OperatorRefusal } from '../server/src/payments/operator/decide.ts';
import type { Decision } from '../server/src/payments/payment/unallocated-item.ts';
import { firstPage } from '../server/src/platform/http/lists/page.ts';
import type { World } from './world.ts';

const MAX = 1000;
/** Large amounts need a second person, who makes the same decision. Both have signed in: a name typed in a shell never agrees. */
const FIRST = { by: 'Ms Hill', byId: 'opr_hill' };
const SECOND = { by: 'Mr Cole', byId: 'opr_cole' };

const other = (by: string) => (by === FIRST.by ? SECOND : FIRST);
/** Until the service had its time to do it on its own; in a calm time that takes it no hours. */
const GRACE_PERIOD = Temporal.Duration.from({ hours: 20 });
const CALM_GRACE_PERIOD = Temporal.Duration.from({ hours: 4 });

/** An item whose payment, if it has a guess, stands like this. */
type Open = ItemRow & { payment_status: string | null; payment_pence: number; is_moving: boolean };

/** The operator decides what becomes of money that is nobody's. */
export async function endItems(world: World, day: number): Promise<void> {
  for (const item of await openItems(world)) {
    const decision = decide(world, item, day);
    if (decision === null) continue;
    if (decision.end === 'returned') payBack(world, item);
    await carryOut(world, item, decision);
  }
}

async function openItems({ db, clock, troubles }: World): Promise<Open[]> {
  const rest = troubles.isCalm ? CALM_GRACE_PERIOD : GRACE_PERIOD;
  return db.read(async (tx) => {
    const { data: items } = await listItems(tx, { onlyOpen: true }, firstPage(MAX));
    const rows = await tx.rows<{ paymentId: string; status: string; pence: number }>(
      `SELECT payment_id, status, amount_pence AS pence FROM payments WHERE payment_id = ANY ($1)`,
      [items.map((item) => item.paymentId ?? '')],
    );
    const moving = await tx.rows<{ walletId: string }>(
      `SELECT DISTINCT wallet_id FROM payment_work WHERE stage = 'move'`,
    );
    const payments = new Map(rows.map((row) => [row.paymentId, row]));
    const busy = new Set(moving.map((row) => row.walletId));
    return items
      .filter((i) => Temporal.Instant.compare(i.openedAt.add(rest), clock.at) <= 0)
      .sort((a, b) => (a.itemId < b.itemId ? -1 : 1))
      .map((item) => {
        const payment = payments.get(item.paymentId ?? '');
        const is_moving = busy.has(item.walletId);
        const payment_pence = payment?.pence ?? 0;
        return { ...item, payment_status: payment?.status ?? null, payment_pence, is_moving };
      });
  });
}

/** Null: it is left for another day, as happens in busy times. What was begun to be returned is returned. */
function decide({ chance, issuer, troubles }: World, item: Open, day: number): Decision | null {
  const person = other(item.proposed?.by ?? SECOND.by);
  const back: Decision = {
    ...person,
    end: 'returned',
    paymentId: null,
    reason: 'nobody awaits it',
  };
  if (item.is_moving) return null;
  if (issuer.hasPaidBack(item.itemId)) return back;
  const { paymentId, payment_status: status } = item;
  if (paymentId === null || status === 'success' || item.reason === 'left_over') return back;
  if (item.reason === 'another_wallet') return back;
  if (item.reason === 'later_attempt' && status !== 'failed') return null;
  const isPutOff = chance.happens(0.4, 'unallocated', item.movementId, day);
  if (isPutOff && !troubles.isCalm) return null;
  if (chance.happens(0.3, 'unallocated', item.movementId, 'returned')) return back;
  const isWhole = item.amountPence === item.payment_pence;
  const end = isWhole ? 'allocated' : 'accepted_in_part';
  return { ...person, end, paymentId, reason: 'the customer says so' };
}

/** The money goes back at the issuer first, once. */
function payBack({ issuer, banks, history }: World, item: Open): void {
  if (issuer.hasPaidBack(item.itemId)) return;
  const debit = issuer.payBack(item.itemId, item.movementId, item.amountPence);
  if (debit !== null) for (const bank of banks.values()) bank.giveBack(debit);
  history.note('operator', 'paid back', item.movementId, item.amountPence);
}

async function carryOut({ processes, history }: World, item: Open, decision: Decision) {
  try {
    await processes.ask(async ({ authorisation }) => {
      const { kind } = await endUnallocated(authorisation, item.itemId, decision);
      const agreed = { ...decision, ...other(decision.by) };
      if (kind === 'waits') await endUnallocated(authorisation, item.itemId, agreed);
    });
    history.count(`operator: money ${decision.end.replaceAll('_', ' ')}`);
  } catch (error) {
    if (!(error instanceof OperatorRefusal)) throw error;
    history.note('operator', item.movementId, decision.end, error.message);
    history.count('operator: refused');
  }
}
