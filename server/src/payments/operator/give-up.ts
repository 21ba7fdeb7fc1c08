import type { Bank } from '../../banks/bank.ts';
import type { Tx } from '../../platform/db/db.ts';
import type { Platform } from '../../platform/platform.ts';
import { isAfter, isBefore } from '../../platform/values/instants.ts';
import { lockAgainstChanges } from '../../schedules/books/due-store.ts';
import type { Issuer } from '../../wallets/issuer.ts';
import { recordGivenUp } from '../books/evidence-store.ts';
import { lockPayments } from '../books/lock-store.ts';
import { moveToRetryOrFailed } from '../books/payment-store.ts';
import { lockReceiving, pollNow } from '../books/queue-store.ts';
import { findOperated, type OperatedRow } from '../books/waiting-store.ts';
import { recordOutcomes } from '../outcomes/record.ts';
import { importPayIns } from '../pay-ins/arrivals.ts';
import { ended } from '../payment/outcome.ts';
import type { PaymentStatus } from '../payment/payment.ts';
import { NOT_SENT_FOR, RESEND_FOR } from '../payment/retry.ts';
import { type BankAnswer, refusalBy } from '../payment/waiting.ts';
import { OperatorRefusal } from './decide.ts';
import { setAside } from './set-aside.ts';

export interface GiveUpDeps {
  platform: Platform;
  banks: ReadonlyMap<string, Bank>;
  issuer: Issuer;
}

/** How long a call that was started at the last moment may still be with the bank: far longer than a lease. */
const LAST_CALL = Temporal.Duration.from({ minutes: 10 });

/** An operator's decision to give up a payment. */
export interface GiveUpDecision {
  by: string;
  /** Who at the bank said what, and when. */
  reason: string;
  /** Proof that a payment has ended although the bank's own interface reports it as open. */
  evidence?: string;
  /** The bank gave the payment an id but no longer responds to queries about it. */
  bankIsSilent?: boolean;
}

/**
 * Ends, by an operator's decision, an attempt that was sent and has had no outcome for 23 hours, or whose money came in another
 * amount and was returned: the payment fails for good, the merchant is notified, and the audit trail records the decision and
 * who made it. The issuer and the bank are queried first, where possible. If the money comes after all, it is booked and
 * reported as usual; for seven days after its last order the payment is not retried by hand. The money of a payment that cannot
 * be transferred to the merchant is set aside. Throws `OperatorRefusal`.
 */
export async function giveUpPayment(
  deps: GiveUpDeps,
  paymentId: string,
  word: GiveUpDecision,
): Promise<PaymentStatus> {
  const { platform } = deps;
  const row = await platform.db.read((tx) => findOperated(tx, paymentId));
  if (row === null) throw new OperatorRefusal(`there is no payment ${paymentId}`);
  if (isUnsent(row)) {
    await platform.db.transaction((tx) => endUnsent(platform, tx, row, word));
    return 'failed';
  }
  if (row.status === 'processing' && row.stage === 'move') {
    await setAside(deps, row, word);
    return 'failed';
  }
  requireGivableUp(row, platform.clock.now());
  await askIssuer(deps, row);
  if (!row.hasWrongAmount) await askBank(deps, row, word);
  return platform.db.transaction((tx) => endUnderLock(platform, tx, row, word));
}

const isUnsent = ({ status, stage, sentAt }: OperatedRow): boolean =>
  status === 'pending' || (status === 'processing' && stage === 'submit' && sentAt === null);

/** Ends a payment that has waited for a week, and of which nothing is with the bank. */
async function endUnsent(
  platform: Platform,
  tx: Tx,
  asked: OperatedRow,
  { by, reason }: GiveUpDecision,
): Promise<void> {
  const { merchantId, paymentId } = asked;
  await lockAgainstChanges(tx, [asked]);
  const row = await lockReceiving(tx, merchantId, paymentId);
  const now = platform.clock.now();
  const current = await findOperated(tx, paymentId);
  if (row === null || current === null || !isUnsent(current) || current.polls !== asked.polls)
    throw new OperatorRefusal('the payment goes on at this moment: try again');
  const { beginsAt } = current;
  if (beginsAt === null || isBefore(now, beginsAt.add(NOT_SENT_FOR)))
    throw new OperatorRefusal(
      'the payment was not sent yet: pause or cancel its schedule to stop it',
    );
  const failure = {
    code: 'technical',
    message: 'The payment could not be sent to the bank.',
  };
  const words = `given up by ${by}: ${reason}`;
  if (row.status === 'pending') {
    const retry = { none: 'final' as const };
    const work = { platform, tx, now };
    await moveToRetryOrFailed(work, [{ row, failure, reason: words, retry }], 'pending');
    return;
  }
  const outcome = { ...ended(failure.code, failure.message, current.polls), reason: words };
  await recordOutcomes({ platform, tx, now }, [{ ref: asked, outcome }]);
}

/**
 * Two operators, or the service, may act at the same moment: ends the payment only if it is unchanged since the others were
 * queried.
 */
async function endUnderLock(
  platform: Platform,
  tx: Tx,
  asked: OperatedRow,
  { by, reason, evidence }: GiveUpDecision,
): Promise<PaymentStatus> {
  const { paymentId } = asked;
  await lockAgainstChanges(tx, [asked]);
  await lockPayments(tx, [asked]);
  const now = platform.clock.now();
  const row = await findOperated(tx, paymentId);
  if (row === null) throw new Error(`the payment ${paymentId} is gone`);
  requireGivableUp(row, now);
  const { attempt, stage, polls } = row;
  if (attempt !== asked.attempt || stage !== asked.stage || polls !== asked.polls)
    throw new OperatorRefusal('the service asked about the payment at this moment: try again');
  const call = stage === 'submit' ? polls : null;
  const failure = ended('technical', 'The bank did not carry out the payment.', call);
  const proof = evidence === undefined ? '' : ` (evidence: ${evidence})`;
  const outcome = { ...failure, reason: `given up by ${by}: ${reason}${proof}` };
  await recordOutcomes({ platform, tx, now }, [{ ref: asked, outcome }]);
  if (!row.hasWrongAmount) await recordGivenUp(tx, now, asked);
  return (await findOperated(tx, paymentId))?.status ?? 'failed';
}

function requireGivableUp(row: OperatedRow, now: Temporal.Instant): void {
  if (row.status !== 'processing')
    throw new OperatorRefusal(`the payment is ${row.status}, not processing`);
  if (row.sentAt === null)
    throw new OperatorRefusal(
      'the payment was not sent yet: pause or cancel its schedule to stop it',
    );
  if (row.undecidedItemId !== null)
    throw new OperatorRefusal(
      `its money lies unallocated as ${row.undecidedItemId}: accept or return that first`,
    );
  if (row.hasWrongAmount) return;
  if (!isAfter(now, row.sentAt.add(RESEND_FOR).add(LAST_CALL)))
    throw new OperatorRefusal(
      `the payment was sent at ${row.sentAt}: for ${RESEND_FOR.hours} hours the bank is still asked automatically`,
    );
}

/** Records any money at the issuer first: money decides before an operator does. */
async function askIssuer(deps: GiveUpDeps, row: OperatedRow): Promise<void> {
  let found: string | null;
  try {
    found = await importPayIns(deps, row, row.sentAt ?? deps.platform.clock.now());
  } catch (cause) {
    throw new OperatorRefusal('the issuer does not tell whether the money came: try again later', {
      cause,
    });
  }
  if (found !== null)
    throw new OperatorRefusal(
      `the money has come, it is movement ${found}: it is booked automatically`,
    );
}

/**
 * Reads the payment at the bank. Without the bank's id of the payment this is impossible: a second order might be taken for a
 * second payment.
 */
async function askBank(
  { platform, banks }: GiveUpDeps,
  row: OperatedRow,
  { evidence, bankIsSilent }: GiveUpDecision,
): Promise<void> {
  if (row.bankPaymentId === null) return;
  let said: BankAnswer = null;
  try {
    const bank = banks.get(row.bankId);
    if (bank === undefined) throw new Error(`the bank ${row.bankId} is not configured here`);
    said = await bank.readPayment(row.bankPaymentId);
  } catch (cause) {
    if (bankIsSilent === true || evidence !== undefined) return;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new OperatorRefusal(
      `the bank does not tell of its payment ${row.bankPaymentId}: ${why}`,
      {
        cause,
      },
    );
  }
  const refusal = refusalBy(said, evidence !== undefined);
  if (refusal === null) return;
  if (said.outcome === 'failed')
    await platform.db.transaction((tx) => pollNow(tx, platform.clock.now(), row));
  throw new OperatorRefusal(refusal);
}
