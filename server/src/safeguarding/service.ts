import { ISSUER } from '../laws/reconciliation/reconciliation.ts';
import type { Tx } from '../platform/db/db.ts';
import type { Work } from '../platform/platform.ts';
import { recordServiceChange } from '../platform/state/audit-trail.ts';
import { ApiError, invalid, notFound, orNotFound } from '../platform/values/errors.ts';
import { toDecimal } from '../platform/values/money.ts';
import { lockAnswers } from './agenda-store.ts';
import type { BreachKind } from './breaches.ts';
import { MOST_OWN, type Run } from './figures.ts';
import type { Entry } from './register/entry.ts';
import { insertEntry, markEnded } from './register/store.ts';
import { type Answer, findRun, putAnswer, putExplanation, sumOwn } from './store.ts';

type Acting = Pick<Work, 'tx' | 'now'>;

/**
 * Records what a person says about the run of a day, and the operator's own money that they moved for it. Throws 404, 409
 * `operation_refused` if it was answered before, and 400 for more taken out than was paid in, or more paid in than `MOST_OWN`.
 */
export async function answerRun(
  { tx, now }: Acting,
  date: Temporal.PlainDate,
  answer: Answer,
): Promise<Run> {
  await lockAnswers(tx);
  orNotFound(await findRun(tx, ISSUER, date), 'safeguarding day');
  const own = await sumOwn(tx, ISSUER);
  if (answer.takenOutPence > own + answer.paidInPence)
    throw invalid({ taken_out_pence: `is more than was paid in: £${toDecimal(own)}` });
  const morePence = answer.paidInPence - answer.takenOutPence;
  // Ordinary answers go on, and take out what an earlier one said too much, where a previous version let more in.
  if (morePence > 0 && own + morePence > MOST_OWN)
    throw invalid({
      paid_in_pence: `makes more than £${toDecimal(MOST_OWN)} paid in: it is £${toDecimal(own)} already`,
    });
  if (!(await putAnswer(tx, now, { issuer: ISSUER, date }, answer)))
    throw new ApiError('operation_refused', `${date.toString()} has been answered already.`);
  await recordServiceChange(tx, now, {
    objectId: `safeguarding ${date.toString()}`,
    to: 'answered',
    reason: answer.says,
  });
  return orNotFound(await findRun(tx, ISSUER, date), 'safeguarding day');
}

/** Records why a breach happened and what was done about it; a later explanation takes the place of an earlier one. */
export async function explainBreach(
  { tx, now }: Acting,
  { kind, about }: { kind: BreachKind; about: string },
  by: { who: string; says: string },
): Promise<void> {
  if (!(await putExplanation(tx, now, { issuer: ISSUER, kind, about }, by)))
    throw notFound('breach');
  await recordServiceChange(tx, now, {
    objectId: `safeguarding ${kind} ${about}`,
    to: 'explained',
    reason: by.says,
  });
}

/** Enters something in the register. */
export async function addEntry(
  { platform, tx, now }: Work,
  given: Pick<Entry, 'kind' | 'name' | 'identifier' | 'note'>,
  who: string,
): Promise<Entry> {
  const entryId = platform.ids.next('reg', now);
  const entry = { ...given, entryId, addedAt: now, addedBy: who, endedAt: null, endedBy: null };
  await insertEntry(tx, entry);
  await recordServiceChange(tx, now, {
    objectId: entryId,
    to: 'entered',
    reason: `${given.kind}: ${given.name}`,
  });
  return entry;
}

/** Ends an entry of the register: it stays in it, as it was. Throws 404. */
export async function endEntry(
  { tx, now }: { tx: Tx; now: Temporal.Instant },
  entryId: string,
  { who, says }: { who: string; says: string },
): Promise<Entry> {
  const entry = orNotFound(await markEnded(tx, entryId, now, who), 'entry');
  await recordServiceChange(tx, now, {
    objectId: entryId,
    from: 'entered',
    to: 'ended',
    reason: says,
  });
  return entry;
}
