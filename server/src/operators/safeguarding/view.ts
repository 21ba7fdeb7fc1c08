import Type, { type Static } from 'typebox';
import { Id, Instant, NamedObject, OneOf, OrNull } from '../../platform/http/schemas/schemas.ts';
import { formatInstant } from '../../platform/time/calendar.ts';
import { BREACH_KINDS, type Receipt } from '../../safeguarding/breaches.ts';
import { allocatedBy, endOf } from '../../safeguarding/day.ts';
import {
  externalDifference,
  internalDifference,
  type Run,
  requirementOf,
  segregationRequirementOf,
} from '../../safeguarding/figures.ts';
import type { Figure } from '../../safeguarding/month.ts';
import { ENTRY_KINDS, type Entry } from '../../safeguarding/register/entry.ts';
import type { StoredBreach } from '../../safeguarding/store.ts';

const Day = Type.String({ examples: ['2026-11-30'] });
const Pence = (description: string) => Type.Integer({ description });
const PenceOrNull = (description: string) => OrNull(Type.Integer(), description);
const Words = OrNull(Type.String());

/** The reconciliation of a day. */
export const DayView = NamedObject('SafeguardingDay', {
  date: Day,
  as_of: Instant,
  made_at: Instant,
  answer_by: Instant,
  requirement_pence: Pence('What is owed to customers and merchants, none of it netted.'),
  customers_pence: Pence('Of it, in customers’ wallets.'),
  merchants_pence: Pence('Of it, in merchants’ wallets.'),
  paying_out_pence: Pence('Of it, on its way out.'),
  unallocated_pence: Pence('Of it, of no client yet.'),
  segregation_requirement_pence: Pence('Of it, received before the previous business day began.'),
  clients: Type.Integer({ description: 'To how many something is owed.' }),
  held_pence: Pence('What came in from outside less what went out, by our books.'),
  fees_pence: Pence('Of it, the operator’s own: fees that are to be taken out.'),
  recalled_pence: Pence('What the issuer paid for recalled pay-ins, and nobody has covered.'),
  own_pence: Pence('The operator’s own money that was paid in before, and not taken out.'),
  internal_difference_pence: Pence('0 unless the books are broken.'),
  issuer_pence: PenceOrNull('What the issuer holds as of the same moment; null: it is not known.'),
  timing_pence: PenceOrNull('Of the difference to our books, what one side booked later.'),
  external_difference_pence: PenceOrNull('What is left of it; null: it is not known.'),
  unknown: OrNull(Type.String(), 'Why the issuer’s figure is not known.'),
  answered_at: OrNull(Instant),
  answered_by: Words,
  answer: Words,
  paid_in_pence: Pence('Own money paid in for the day, by its answer.'),
  taken_out_pence: Pence('Own money taken out again, by its answer.'),
});

export type DayView = Static<typeof DayView>;

/** Shows a run. */
export const viewDay = (run: Run): DayView => ({
  date: run.date.toString(),
  as_of: formatInstant(run.asOf),
  made_at: formatInstant(run.madeAt),
  answer_by: formatInstant(endOf(run.date)),
  requirement_pence: requirementOf(run),
  customers_pence: run.customersPence,
  merchants_pence: run.merchantsPence,
  paying_out_pence: run.payingOutPence,
  unallocated_pence: run.unallocatedPence,
  segregation_requirement_pence: segregationRequirementOf(run),
  clients: run.clients,
  held_pence: run.heldPence,
  fees_pence: run.feesPence,
  recalled_pence: run.recalledPence,
  own_pence: run.ownPence,
  internal_difference_pence: internalDifference(run),
  issuer_pence: run.issuerPence,
  timing_pence: run.timingPence,
  external_difference_pence: externalDifference(run),
  unknown: run.unknown,
  answered_at: formatInstant(run.answeredAt),
  answered_by: run.answeredBy,
  answer: run.answer,
  paid_in_pence: run.paidInPence,
  taken_out_pence: run.takenOutPence,
});

/** What was not done by its time. */
export const BreachView = NamedObject('SafeguardingBreach', {
  kind: OneOf(BREACH_KINDS),
  about: Type.String({ description: 'The day, or the item of unallocated money.' }),
  merchant_id: Words,
  amount_pence: PenceOrNull('How much; null: it is not about an amount.'),
  deadline: Instant,
  found_at: Instant,
  ended_at: OrNull(Instant, 'When it was put right; null: it still stands.'),
  explained_at: OrNull(Instant),
  explained_by: Words,
  explanation: Words,
});

export type BreachView = Static<typeof BreachView>;

/** Shows a breach. */
export const viewBreach = (one: StoredBreach): BreachView => ({
  kind: one.kind,
  about: one.about,
  merchant_id: one.merchantId,
  amount_pence: one.amountPence,
  deadline: formatInstant(one.deadline),
  found_at: formatInstant(one.foundAt),
  ended_at: formatInstant(one.endedAt),
  explained_at: formatInstant(one.explainedAt),
  explained_by: one.explainedBy,
  explanation: one.explanation,
});

/** Money that has arrived and is of no client yet. */
export const ReceiptView = NamedObject('UnallocatedReceipt', {
  id: Id('una'),
  merchant_id: Id('mer'),
  amount_pence: Pence('How much arrived.'),
  arrived_at: Instant,
  allocate_by: Instant,
});

export type ReceiptView = Static<typeof ReceiptView>;

/** Shows a receipt with its clock. */
export const viewReceipt = (one: Receipt): ReceiptView => ({
  id: one.itemId,
  merchant_id: one.merchantId,
  amount_pence: one.amountPence,
  arrived_at: formatInstant(one.arrivedAt),
  allocate_by: formatInstant(allocatedBy(one.arrivedAt)),
});

/** An entry of the register. */
export const EntryView = NamedObject('SafeguardingEntry', {
  id: Id('reg'),
  kind: OneOf(ENTRY_KINDS),
  name: Type.String(),
  identifier: Words,
  note: Words,
  added_at: Instant,
  added_by: Type.String(),
  ended_at: OrNull(Instant),
  ended_by: Words,
});

export type EntryView = Static<typeof EntryView>;

/** Shows an entry. */
export const viewEntry = (one: Entry): EntryView => ({
  id: one.entryId,
  kind: one.kind,
  name: one.name,
  identifier: one.identifier,
  note: one.note,
  added_at: formatInstant(one.addedAt),
  added_by: one.addedBy,
  ended_at: formatInstant(one.endedAt),
  ended_by: one.endedBy,
});

/** A figure of the monthly return. */
export const FigureView = NamedObject('SafeguardingFigure', {
  section: Type.Integer({ description: 'The section of the return (REP027).' }),
  asks: Type.String(),
  value: OrNull(Type.String(), 'Null: not known here; `how` says why.'),
  how: Type.String(),
});

export type FigureView = Static<typeof FigureView>;

export const viewFigure = (one: Figure): FigureView => ({ ...one });
