import { LONDON, workingDayFrom } from './days.ts';
import type { Moved } from './pay-outs.ts';

/** An answer to a dispute that the service accepted. */
export interface DisputeAct {
  kind: 'refunded' | 'rejected' | 'withdrawn';
  /** Null: none was needed, or none is meant. */
  refundId: string | null;
}

/** A dispute, from what whoever raised it said. */
export interface Dispute {
  disputeId: string;
  paymentId: string;
  merchantId: string;
  isOfCustomer: boolean;
  reason: string;
  pence: number;
  at: number;
}

/** A dispute as the service has it. */
export interface ShownDispute {
  disputeId: string;
  paymentId: string;
  status: string;
  pence: number;
  returnedPence: number;
  refundId: string | null;
  deadline: number;
}

/** An event about a dispute, in the order of the events of its schedule. */
export interface DisputeEvent {
  disputeId: string;
  kind: string;
  outcome: string | null;
}

/** What the disputes are held against. */
export interface DisputeEvidence {
  shown: readonly ShownDispute[];
  events: readonly DisputeEvent[];
  /** The refunds that merchants asked for, through disputes or not. */
  refunds: readonly { refundId: string; paymentId: string; at: number }[];
  moved: readonly Moved[];
  /** Pay-ins have no name: an equal one may have paid. */
  isNameless: boolean;
}

const UNAUTHORISED = new Set(['unauthorised', 'after_withdrawal']);
const DAYS_OF_A_COMPLAINT = 15;
const LAST_SECOND = Temporal.PlainTime.from('23:59:59');

/** Returns the last second of the working day by which a dispute has to be answered. */
function deadlineOf({ reason, at }: Dispute): number {
  const raised = Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(LONDON);
  let day = raised.toPlainDate();
  for (let n = UNAUTHORISED.has(reason) ? 1 : DAYS_OF_A_COMPLAINT; n > 0; n--)
    day = workingDayFrom(day.add({ days: 1 }), 1);
  return day.toZonedDateTime({ timeZone: LONDON, plainTime: LAST_SECOND }).epochMilliseconds;
}

/** How a refund ended at the issuer; `none`: it paid nothing for it. */
type Outcome = 'paid' | 'failed' | 'none';

/** The disputes as those who raised and answered them know them. */
export class ExpectedDisputes {
  readonly #all = new Map<string, Dispute>();
  readonly #acts = new Map<string, DisputeAct[]>();
  /** What was said to somebody that does not follow from what was done. */
  readonly contradictions: string[] = [];
  /** How many ended as they had to, and in no other way. */
  sharp = 0;

  raised(dispute: Dispute): void {
    this.#all.set(dispute.disputeId, dispute);
  }

  /** The service accepted an answer: it must not, after one that ends a dispute for good. */
  answered(disputeId: string, act: DisputeAct): void {
    const acts = this.#acts.get(disputeId) ?? [];
    const last = acts.at(-1);
    if (last !== undefined && last.kind !== 'refunded')
      this.contradictions.push(`${disputeId} was ${last.kind}, and then ${act.kind}`);
    this.#acts.set(disputeId, [...acts, act]);
  }

  of(merchantId: string): Dispute[] {
    return [...this.#all.values()].filter((one) => one.merchantId === merchantId);
  }

  /** The operator's list has the nearest deadline first, and no dispute that was ended for good. */
  listed(rows: readonly { disputeId: string; deadline: number }[]): void {
    const says = (line: string): number => this.contradictions.push(`operator's list: ${line}`);
    let before = 0;
    for (const { disputeId, deadline } of rows) {
      if (deadline < before) says(`${disputeId} is out of order`);
      before = deadline;
      const last = this.#acts.get(disputeId)?.at(-1);
      if (!this.#all.has(disputeId) || (last !== undefined && last.kind !== 'refunded'))
        says(`${disputeId} is not open`);
    }
  }

  /** What is wrong, a line each; `isOver`: nothing was in the way for a week. */
  findings(evidence: DisputeEvidence, isOver: boolean): string[] {
    const wrong = [...this.contradictions, ...overpaid(evidence)];
    const shown = new Map(evidence.shown.map((one) => [one.disputeId, one]));
    const events = Map.groupBy(evidence.events, ({ disputeId }) => disputeId);
    for (const id of shown.keys()) if (!this.#all.has(id)) wrong.push(`${id} was raised by nobody`);
    for (const dispute of this.#all.values()) {
      const { disputeId: id } = dispute;
      const row = shown.get(id);
      const lines =
        row === undefined
          ? ['it is not there']
          : [
              ...wrongOf(dispute, row),
              ...wrongEvents(row, events.get(id) ?? []),
              ...this.#wrongState(dispute, row, evidence, isOver),
            ];
      wrong.push(...lines.map((line) => `${id} of ${dispute.paymentId}: ${line}`));
    }
    return wrong;
  }

  #wrongState(
    { disputeId, paymentId, at }: Dispute,
    { status, refundId }: ShownDispute,
    evidence: DisputeEvidence,
    isOver: boolean,
  ): string[] {
    const last = this.#acts.get(disputeId)?.at(-1);
    const is = (...allowed: string[]): string[] =>
      allowed.includes(status) ? [] : [`it is ${status}, and not ${allowed.join(' or ')}`];
    if (last !== undefined && last.kind !== 'refunded') {
      this.sharp += isOver ? 1 : 0;
      return is(last.kind);
    }
    if (last === undefined) {
      const recall = recallOf(paymentId, evidence);
      if (isOver && recall === 'sure') return is('returned');
      return recall === 'none' ? is('open') : is('open', 'returned');
    }
    if (!isOver || recallOf(paymentId, evidence) !== 'none')
      return is('open', 'refunded', 'returned');
    // What was given back before is not counted, and its failure changes nothing.
    const ours = evidence.refunds.filter((one) => one.paymentId === paymentId && one.at >= at);
    const outcomes = ours.map((one) => outcomeOf(one.refundId, evidence.moved));
    const own = last.refundId === null ? null : outcomeOf(last.refundId, evidence.moved);
    this.sharp += 1;
    if (own === 'failed' && refundId !== null) return [`it still counts on ${refundId}`];
    if (own === 'failed' || own === 'none') return is('open');
    return outcomes.every((one) => one === 'paid') ? is('refunded') : is('refunded', 'open');
  }
}

function wrongOf(dispute: Dispute, shown: ShownDispute): string[] {
  const wrong: string[] = [];
  const deadline = deadlineOf(dispute);
  if (shown.paymentId !== dispute.paymentId) wrong.push(`it is of ${shown.paymentId}`);
  if (shown.pence !== dispute.pence) wrong.push(`it is of ${shown.pence}, not ${dispute.pence}`);
  if (shown.deadline !== deadline) wrong.push(`it is due ${shown.deadline}, not ${deadline}`);
  if (shown.returnedPence > dispute.pence) wrong.push(`it gave back ${shown.returnedPence}`);
  return wrong;
}

/** It was opened once; then closed and opened again in turn; the last event says how it stands. */
function wrongEvents({ status }: ShownDispute, events: readonly DisputeEvent[]): string[] {
  const kinds = events.map(({ kind }) => kind.replace('dispute.', ''));
  const isInTurn = kinds.every((kind, n) =>
    n === 0 ? kind === 'opened' : kind === (n % 2 === 1 ? 'closed' : 'reopened'),
  );
  if (kinds.length === 0 || !isInTurn) return [`its events are ${kinds.join(', ')}`];
  const outcome = events.at(-1)?.outcome ?? 'open';
  const isSaid = outcome === status || (outcome === 'refunded' && status === 'returned');
  return isSaid ? [] : [`it is ${status}, its last event says ${outcome}`];
}

/** Whether a payment's money was recalled; `unsure`: a part of what came for it was, or nobody knows whose money that was. */
function recallOf(paymentId: string, { moved, isNameless }: DisputeEvidence) {
  const recalled = new Set(
    moved.filter(({ kind }) => kind === 'payin_recall').map(({ originalId }) => originalId),
  );
  if (isNameless) return recalled.size === 0 ? 'none' : 'unsure';
  const came = moved.filter((one) => one.kind === 'payin' && one.paymentId === paymentId);
  const back = came.filter(({ movementId }) => recalled.has(movementId));
  if (back.length === 0) return 'none';
  return came.length === 1 ? 'sure' : 'unsure';
}

const payOutsOf = (refundId: string, moved: readonly Moved[]): Moved[] =>
  moved.filter(({ kind, key }) => kind === 'payout' && key?.split(' before ')[0] === refundId);

function outcomeOf(refundId: string, moved: readonly Moved[]): Outcome {
  const orders = payOutsOf(refundId, moved);
  const back = new Set(moved.map(({ originalId }) => originalId));
  const isPaid = orders.some(
    ({ status, movementId }) => status !== 'failed' && !back.has(movementId),
  );
  if (isPaid) return 'paid';
  return orders.length === 0 ? 'none' : 'failed';
}

/** No payment is given back more than it was worth, whoever asked for it. */
function overpaid({ refunds, moved, isNameless }: DisputeEvidence): string[] {
  if (isNameless) return [];
  const came = Map.groupBy(
    moved.filter(({ kind }) => kind === 'payin'),
    ({ paymentId }) => paymentId,
  );
  const most = (paymentId: string): number =>
    Math.max(0, ...(came.get(paymentId) ?? []).map(({ pence }) => pence));
  const back = new Set(moved.map(({ originalId }) => originalId));
  return [...Map.groupBy(refunds, ({ paymentId }) => paymentId)].flatMap(([paymentId, all]) => {
    const paid = all
      .flatMap(({ refundId }) => payOutsOf(refundId, moved))
      .filter(({ status, movementId }) => status !== 'failed' && !back.has(movementId));
    const pence = paid.reduce((sum, one) => sum + one.pence, 0);
    const worth = most(paymentId);
    return pence <= worth ? [] : [`${paymentId} of ${worth} was given back ${pence}`];
  });
}
