import { type DueWork, isoInstant } from '../../clock.ts';
import { inParallel } from '../../parallel.ts';
import type { BankDeps } from '../bank.ts';
import { behaviourAt } from '../behaviour/behaviours.ts';
import { backOffMinutes, pushDue } from '../doors/notifications.ts';
import { book, findAccount, payDue } from './books.ts';
import { payeeOf } from './consent-request.ts';
import { expireDue, findConsent, suspendConsent, withdrawConsent } from './consents.ts';
import { sendFasterPayment } from './faster-payments.ts';
import {
  changePayment,
  duePayments,
  loadPayment,
  type Payment,
  paymentsOf,
  stepTime,
} from './payments.ts';
import { hasQuirk } from './quirks-in-force.ts';

/** How many payments are moved together: each only waits for the issuer, and what it holds up is polled by the third party. */
const BATCH = 200;

/** Creates the banks' scheduled work. At any one moment, salaries are paid and consents expire before payments are processed. */
export function createDueWork(deps: BankDeps): DueWork {
  return {
    nextDue: () => {
      const row = deps.store.get<{ at: string | null }>(NEXT_DUE);
      return row?.at ? Temporal.Instant.from(row.at) : null;
    },
    runDue: async (at) => {
      payDue(deps.store, at);
      expireDue(deps.store, at);
      // These run in parallel: Faster Payments and the third party are independent counterparties.
      const done = await Promise.allSettled([moveDuePayments(deps, at), pushDue(deps, at)]);
      const failed = done.find((one) => one.status === 'rejected');
      if (failed) throw failed.reason;
    },
  };
}

const NEXT_DUE = `
SELECT min(at) AS at FROM (
  SELECT min(next_payday) AS at FROM accounts WHERE next_payday IS NOT NULL
  UNION ALL
  SELECT min(expires_at) FROM consents
    WHERE status IN ('AWAU', 'AUTH', 'CANC') AND deleted_at IS NULL
  UNION ALL
  SELECT min(due_at) FROM payments WHERE due_at IS NOT NULL
  UNION ALL
  SELECT min(due_at) FROM notifications WHERE due_at IS NOT NULL
)`;

async function moveDuePayments(deps: BankDeps, at: Temporal.Instant): Promise<void> {
  await inParallel(duePayments(deps.store, at, BATCH), BATCH, (payment) => move(deps, payment, at));
}

/** Advances a payment by one step; a step that credits waits for Faster Payments. */
async function move(deps: BankDeps, payment: Payment, at: Temporal.Instant): Promise<void> {
  const { store, banks } = deps;
  const bank = banks.get(payment.bank);
  if (!bank) throw new Error(`Payment of unknown bank ${payment.bank}`);
  const behaviour = behaviourAt(bank.brand, payment.behaviour);
  const step = behaviour.steps[payment.step];
  if (!step) throw new Error(`Payment ${payment.payment_id} has no step ${payment.step}`);
  if (step.credits && !(await credit(deps, payment, at))) return;
  store.transaction(() => {
    store.run('UPDATE payments SET step = step + 1, due_at = :due WHERE payment_id = :id', {
      due: stepTime(behaviour, payment.step + 1, Temporal.Instant.from(payment.created_at)),
      id: payment.payment_id,
    });
    const isFinal = step.status !== 'ACCC' || !stopsAtAcsc(deps, payment);
    const status = isFinal ? step.status : 'ACSC';
    // Notify only if the status changed.
    if (status !== payment.status) changePayment(store, payment, status, step.reason ?? null, at);
    if (step.credits && behaviour.withdrawsAfterFirst) {
      const consent = findConsent(store, payment.bank, payment.consent_id);
      if (consent) withdrawConsent(store, consent, at);
    }
    if (step.credits && behaviour.asksAgainAfterFirst) requireReauthentication(deps, payment, at);
  });
}

/** Suspends a consent after its first payment, until its customer has authenticated again. */
function requireReauthentication(
  { store }: BankDeps,
  payment: Payment,
  at: Temporal.Instant,
): void {
  const consent = findConsent(store, payment.bank, payment.consent_id);
  const isFirst = paymentsOf(store, payment.consent_id, 2).length === 1;
  if (consent && isFirst) suspendConsent(store, consent, at);
}

function stopsAtAcsc({ store, banks }: BankDeps, payment: Payment): boolean {
  const brand = banks.get(payment.bank)?.brand;
  return brand !== undefined && hasQuirk(store, brand, payment, 'stops_at_acsc');
}

/** Returns true once the creditor has the money; otherwise rejects the payment or schedules a retry. */
async function credit(deps: BankDeps, payment: Payment, at: Temporal.Instant): Promise<boolean> {
  const { store, config } = deps;
  const account = findAccount(store, payment.bank, payment.account_number);
  if (!account) throw new Error(`No account ${payment.account_number} at ${payment.bank}`);
  const outcome = await sendFasterPayment(config, payment, account);
  const id = payment.payment_id;
  if (outcome.kind === 'credited') {
    const sql = 'UPDATE payments SET credited_at = :at WHERE payment_id = :id';
    store.run(sql, { at: isoInstant(at), id });
    return true;
  }
  if (outcome.kind === 'refused') {
    reject(deps, payment, outcome.reason, at);
    return false;
  }
  store.transaction(() => {
    const tries = payment.credit_tries + 1;
    const due = isoInstant(at.add({ minutes: backOffMinutes(tries) }));
    store.run('UPDATE payments SET credit_tries = :tries, due_at = :due WHERE payment_id = :id', {
      tries,
      due,
      id,
    });
    const isDebitedOnly = payment.status === 'ACSP' || payment.status === 'ACSC';
    if (!isDebitedOnly) changePayment(store, payment, 'ACSP', null, at);
  });
  return false;
}

/** Rejects a payment that the creditor's institution refused, and reverses the debit. */
function reject(deps: BankDeps, payment: Payment, reason: string, at: Temporal.Instant): void {
  const { store } = deps;
  store.transaction(() => {
    const { debited } = loadPayment(store, payment.payment_id);
    const consent = findConsent(store, payment.bank, payment.consent_id);
    if (debited && consent) {
      const undo = {
        amountPence: payment.amount_pence,
        description: `Returned: ${payeeOf(consent.request)}`,
        paymentId: payment.payment_id,
      };
      book(store, payment.bank, payment.account_number, undo, at);
    }
    store.run('UPDATE payments SET debited = 0, due_at = NULL WHERE payment_id = :id', {
      id: payment.payment_id,
    });
    changePayment(store, payment, 'RJCT', reason, at);
  });
}
