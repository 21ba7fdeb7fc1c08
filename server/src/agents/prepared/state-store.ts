import type { Tx } from '../../platform/db/db.ts';
import { recordChanges } from '../../platform/state/audit-trail.ts';
import { moveRows, type Step } from '../../platform/state/move-rows.ts';
import { transition } from '../../platform/state/state-machine.ts';
import { type ActState, PREPARED_ACTS, type PreparedAct } from './act.ts';
import { COLUMNS } from './store.ts';

/** The state changes of prepared acts; nothing else writes an act's status. */

const TO_WAITING = transition(PREPARED_ACTS, ['prepared'], 'waiting');
const TO_DONE = transition(PREPARED_ACTS, ['prepared'], 'done');
const TO_APPROVED = transition(PREPARED_ACTS, ['waiting'], 'done');
const TO_DECLINED = transition(PREPARED_ACTS, ['waiting'], 'declined');
const WITHDRAWN = [
  transition(PREPARED_ACTS, ['prepared'], 'replaced'),
  transition(PREPARED_ACTS, ['waiting'], 'replaced'),
];

type ActStep = Pick<Step<ActState, PreparedAct>, 'move' | 'set' | 'columns'>;

/** What an act is about in the audit trail: a schedule's acts stand on its timeline. */
const auditOf = ({ merchantId, actId, aboutId }: PreparedAct) => ({
  merchantId,
  objectId: actId,
  scheduleId: aboutId?.startsWith('sch_') === true ? aboutId : null,
});

async function moveOne(
  tx: Tx,
  now: Temporal.Instant,
  act: PreparedAct,
  reason: string,
  step: ActStep,
): Promise<void> {
  const moved = await moveRows<ActState, PreparedAct>(tx, now, {
    ...step,
    rows: [act],
    columns: {
      merchant_id: ['text', (one) => one.merchantId],
      act_id: ['text', (one) => one.actId],
      at: ['timestamptz', () => now],
      ...step.columns,
    },
    audit: () => ({ ...auditOf(act), reason, from: act.status }),
  });
  if (moved.length !== 1) throw new Error(`${act.actId} moved, although it is locked`);
}

/** Inserts an act, and forgets what those of the merchant that have expired were asked with. */
export async function insertAct(tx: Tx, now: Temporal.Instant, act: PreparedAct): Promise<void> {
  await tx.run(
    `UPDATE prepared_acts SET inputs = NULL WHERE merchant_id = $1 AND inputs IS NOT NULL AND expires_at <= $2`,
    [act.merchantId, now],
  );
  await tx.run(
    `INSERT INTO prepared_acts (${COLUMNS})
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)`,
    [
      act.merchantId,
      act.actId,
      act.keyId,
      act.agent,
      act.operation,
      act.aboutId,
      act.inputs,
      act.identity,
      act.content,
      JSON.stringify(act.ground),
      act.summary,
      act.amountPence,
      act.asksCustomer,
      act.status,
      act.objectId,
      act.decidedBy,
      act.createdAt,
      act.expiresAt,
      act.endedAt,
    ],
  );
}

/** Records in the audit trail that an act was prepared. */
export function notePrepared(tx: Tx, now: Temporal.Instant, act: PreparedAct): Promise<void> {
  return recordChanges(tx, now, [
    { ...auditOf(act), from: null, to: 'prepared', reason: act.summary },
  ]);
}

/** Lets an act wait for a member of the team until a moment. */
export function moveToWaiting(
  tx: Tx,
  now: Temporal.Instant,
  act: PreparedAct,
  until: Temporal.Instant,
): Promise<void> {
  return moveOne(tx, now, act, `beyond the limits of ${act.keyId}: ${act.summary}`, {
    move: TO_WAITING,
    columns: { until: ['timestamptz', () => until] },
    set: 'expires_at = n.until',
  });
}

const ENDED = 'ended_at = n.at, inputs = NULL';

/** Ends an act that is done. `decidedBy`: the member who approved it; null: the key committed it on its own. */
export function moveToDone(
  tx: Tx,
  now: Temporal.Instant,
  act: PreparedAct,
  { objectId, decidedBy }: Pick<PreparedAct, 'objectId' | 'decidedBy'>,
): Promise<void> {
  const how = decidedBy === null ? 'committed' : 'approved';
  return moveOne(tx, now, act, `${how}: ${act.summary}`, {
    move: decidedBy === null ? TO_DONE : TO_APPROVED,
    columns: { object_id: ['text', () => objectId], decided_by: ['text', () => decidedBy] },
    set: `${ENDED}, object_id = n.object_id, decided_by = n.decided_by`,
  });
}

/** Ends an act that a member of the team declined. */
export function moveToDeclined(
  tx: Tx,
  now: Temporal.Instant,
  act: PreparedAct,
  decidedBy: string,
): Promise<void> {
  return moveOne(tx, now, act, `declined: ${act.summary}`, {
    move: TO_DECLINED,
    columns: { decided_by: ['text', () => decidedBy] },
    set: `${ENDED}, decided_by = n.decided_by`,
  });
}

/** Ends an act in whose place the key has prepared another one. */
export function moveToReplaced(tx: Tx, now: Temporal.Instant, act: PreparedAct): Promise<void> {
  return moveOne(tx, now, act, 'another act was prepared for the same purpose', {
    move: WITHDRAWN,
    columns: {},
    set: ENDED,
  });
}
