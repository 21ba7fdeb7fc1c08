import { endRevocation } from '../../consents/revocation-store.ts';
import type { ConsentHooks } from '../../consents/service.ts';
import { endStuckConsent } from '../../consents/service.ts';
import { findConsent } from '../../consents/store.ts';
import { findOverdue, type Overdue } from '../../laws/invariants/overdue-store.ts';
import { OperatorRefusal } from '../../payments/operator/decide.ts';
import { type GiveUpDeps, giveUpPayment } from '../../payments/operator/give-up.ts';
import type { Tx } from '../../platform/db/db.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { recordNotPaid, recordPaid, stopRefund } from '../../refunds/end.ts';
import type { RefundDeps } from '../../refunds/service.ts';
import { findRefund, lockRefund } from '../../refunds/store.ts';
import { recordCovered } from '../../settlements/cover-stage.ts';
import { lockCover } from '../../settlements/debt-store.ts';
import type { SettlementDeps } from '../../settlements/destination.ts';
import { recordFeeTransfer } from '../../settlements/fee-stage.ts';
import { lockFeeTransfer } from '../../settlements/fee-store.ts';
import { endSettlement } from '../../settlements/operator-end.ts';
import { payOutKey } from '../../settlements/settlement.ts';
import { findSettlement } from '../../settlements/store.ts';
import type { Movement } from '../../wallets/issuer.ts';
import { lockInSettlement } from '../../wallets/ledger-store.ts';
import { markClosed } from '../../wallets/store.ts';

/** What ending something overdue takes of the slices. */
export interface EndingDeps extends GiveUpDeps {
  settlements: SettlementDeps;
  refunds: RefundDeps;
  hooks: ConsentHooks;
}

/** An operator's word about something overdue: it has happened, or it has not and will not. */
export interface EndDecision {
  by: string;
  reason: string;
  evidence?: string;
  outcome: 'done' | 'not_done';
}

/** What is overdue, as its list names it. */
export type OverdueRef = Pick<Overdue, 'noun' | 'id'>;

type End = (deps: EndingDeps, found: Overdue, word: EndDecision) => Promise<void>;

const CHANGED_MEANWHILE = 'it has gone on meanwhile: try again';

/**
 * Ends something overdue by an operator's word with evidence: docs/guides/runbook.md#what-is-overdue. What the issuer can tell
 * of is asked first. Throws `OperatorRefusal`.
 */
export async function endOverdue(
  deps: EndingDeps,
  what: OverdueRef,
  word: EndDecision,
): Promise<void> {
  const { platform } = deps;
  if (what.noun === 'payments') return endPayment(deps, what.id, word);
  const now = platform.clock.now();
  const found = await platform.db.read((tx) => findOverdue(tx, now, what.noun, what.id));
  if (found === null) throw new OperatorRefusal(`${what.id} of the ${what.noun} is not overdue`);
  const end = ENDS[what.noun];
  if (end === undefined)
    throw new OperatorRefusal(`${what.noun} end automatically: mend what keeps them`);
  await end(deps, found, word);
}

async function endPayment(deps: EndingDeps, id: string, word: EndDecision): Promise<void> {
  const { by, reason, evidence, outcome } = word;
  if (outcome === 'done')
    throw new OperatorRefusal(
      'only its money ends a payment as collected: wait for it, or apply it',
    );
  await giveUpPayment(deps, id, { by, reason, ...(evidence && { evidence }) });
}

const wordsOf = ({ by, reason, evidence }: EndDecision): string =>
  `${by}: ${reason}${evidence === undefined ? '' : ` (evidence: ${evidence})`}`;

function requireEvidence({ evidence }: EndDecision): void {
  if (evidence === undefined)
    throw new OperatorRefusal('evidence is required: what proves it, and from whom');
}

function requireOutcome(word: EndDecision, outcome: EndDecision['outcome'], why: string): void {
  if (word.outcome !== outcome) throw new OperatorRefusal(why);
}

/** Refuses where the issuer itself knows the outcome of a pay-out: it is recorded automatically. */
async function askIssuer(
  { issuer }: EndingDeps,
  movementId: string | null,
  key: string,
  word: EndDecision,
): Promise<void> {
  requireEvidence(word);
  let found: Movement | null;
  try {
    found = await (movementId === null
      ? issuer.findMovement(key)
      : issuer.readMovement(movementId));
  } catch {
    return; // it does not tell, and there is evidence
  }
  if (found !== null && found.status !== 'pending')
    throw new OperatorRefusal(
      `the issuer says that it is ${found.status}: it is recorded automatically`,
    );
}

const inTransaction = (
  { platform }: EndingDeps,
  work: (tx: Tx, now: Temporal.Instant) => Promise<boolean>,
): Promise<void> =>
  platform.db.transaction(async (tx) => {
    if (!(await work(tx, platform.clock.now()))) throw new OperatorRefusal(CHANGED_MEANWHILE);
  });

const endPayOut: End = async (deps, { merchantId, id, state }, word) => {
  const row = await deps.platform.db.read((tx) => findSettlement(tx, merchantId, id));
  if (row === null) throw new OperatorRefusal(CHANGED_MEANWHILE);
  if (state === 'failed')
    throw new OperatorRefusal('confirm its account, or retry it: its money goes out then');
  const isPaid = word.outcome === 'done';
  if (state === 'pending' && isPaid)
    throw new OperatorRefusal('the issuer was not asked for it yet: it cannot have paid it');
  if (state !== 'differs')
    await askIssuer(deps, row.issuerMovementId, payOutKey(id, row.attempts), word);
  requireEvidence(word);
  const said = { isPaid, polls: row.polls, reason: `ended by ${wordsOf(word)}` };
  await inTransaction(deps, (tx, now) =>
    endSettlement(deps.settlements, { tx, now, merchantId }, id, said),
  );
};

const endRefund: End = async (deps, { merchantId, id }, word) => {
  const { platform, refunds } = deps;
  const seen = await platform.db.read((tx) => findRefund(tx, merchantId, id));
  const isOrdered = seen?.status === 'processing';
  if (isOrdered) await askIssuer(deps, seen.issuerMovementId, id, word);
  const isPaid = word.outcome === 'done';
  if (!isOrdered && isPaid)
    throw new OperatorRefusal('the issuer was not asked for it yet: it cannot have paid it');
  await inTransaction(deps, async (tx, now) => {
    await lockInSettlement(tx, merchantId);
    const row = await lockRefund(tx, merchantId, id);
    if (row === null || row.status !== seen?.status || row.polls !== seen.polls) return false;
    const work = { platform, tx, now };
    const change = { merchantId, objectId: id, scheduleId: row.scheduleId };
    const note = { ...change, from: row.status, to: row.status };
    await recordChanges(tx, now, [{ ...note, reason: `ended by ${wordsOf(word)}` }]);
    const error = { code: 'given_up', message: 'The refund was not paid.' };
    if (isPaid) await recordPaid(work, row, row.issuerMovementId);
    else if (isOrdered) await recordNotPaid(refunds, work, row, error);
    else await stopRefund(refunds, work, row, error);
    return true;
  });
};

const endFees: End = async (deps, { merchantId, id }, word) => {
  requireOutcome(word, 'done', 'fees stay due until the issuer has transferred them');
  requireEvidence(word);
  await inTransaction(deps, async (tx, now) => {
    const row = await lockFeeTransfer(tx, merchantId, id);
    if (row === null) return false;
    await noteOn(tx, now, { merchantId, id, state: 'fees_waiting' }, word);
    return recordFeeTransfer(deps.platform, tx, now, row, row.orderPence);
  });
};

const endCover: End = async (deps, { merchantId, id, state }, word) => {
  if (state === 'owed')
    throw new OperatorRefusal('what a merchant owes is netted from its next settlements');
  requireOutcome(word, 'done', 'the cover stays due until the issuer has it');
  requireEvidence(word);
  await inTransaction(deps, async (tx, now) => {
    const row = await lockCover(tx, merchantId, id);
    return row !== null && recordCovered(deps.platform, tx, now, row, wordsOf(word));
  });
};

const endConsent: End = async (deps, { merchantId, id }, word) => {
  requireOutcome(word, 'not_done', 'only the customer and the bank grant a consent');
  await inTransaction(deps, async (tx, now) => {
    const consent = await findConsent(tx, merchantId, id);
    if (consent === null) return false;
    await noteOn(tx, now, { merchantId, id, state: consent.status }, word, consent.scheduleId);
    return endStuckConsent(deps.hooks, tx, now, consent);
  });
};

const endWallet: End = async (deps, { merchantId, id, state }, word) => {
  if (state !== 'closing')
    throw new OperatorRefusal("only the issuer opens the merchant's wallet: ask the issuer");
  requireOutcome(
    word,
    'done',
    'the wallet is to be closed: it is tried until the issuer has done so',
  );
  requireEvidence(word);
  await inTransaction(deps, async (tx, now) => {
    await noteOn(tx, now, { merchantId, id, state }, word);
    await markClosed(tx, now, { merchantId, walletId: id });
    return true;
  });
};

const endDeletion: End = async (deps, { merchantId, id, state }, word) => {
  requireOutcome(word, 'done', 'the consent is deleted until the bank confirms it');
  requireEvidence(word);
  await inTransaction(deps, async (tx, now) => {
    await noteOn(tx, now, { merchantId, id, state }, word);
    return endRevocation(tx, merchantId, id);
  });
};

/** Writes the operator's word into the audit trail. */
function noteOn(
  tx: Tx,
  now: Temporal.Instant,
  { merchantId, id: objectId, state }: { merchantId: string; id: string; state: string },
  word: EndDecision,
  scheduleId: string | null = null,
): Promise<void> {
  const change = { merchantId, objectId, scheduleId, from: state, to: state };
  return recordChanges(tx, now, [{ ...change, reason: `ended by ${wordsOf(word)}` }]);
}

const ENDS: Readonly<Record<string, End>> = {
  settlements: endPayOut,
  refunds: endRefund,
  'fee transfers': endFees,
  covers: endCover,
  consents: endConsent,
  wallets: endWallet,
  'bank deletions': endDeletion,
};
