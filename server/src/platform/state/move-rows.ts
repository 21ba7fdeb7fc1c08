import type { Tx } from '../db/db.ts';
import { recordChanges } from './audit-trail.ts';
import { type Appending, appendEvents } from './events.ts';
import { type MoveStatement, statementOf, valuesOf } from './move-statement.ts';
import type { Move } from './state-machine.ts';

/** A move of rows of a state machine. */
export interface Step<S extends string, R> extends MoveStatement<S, R> {
  /** Books the money of the rows that moved, before their changes and events are written. */
  book?: (moved: readonly R[]) => Promise<void>;
  /** The audit entry of a row whose status changes; `from` if the move has several. */
  audit?: (row: R) => Audit;
  /** The events, for edges that name one. */
  events?: {
    platform: Appending;
    /** Absent: what its audit entry is about. */
    about?: (row: R) => Subject;
    of: (row: R, kind: string) => { data: object; isConfidential?: boolean };
  };
}

/** What a row is about, for the audit trail and for events. */
interface Subject {
  merchantId: string;
  objectId: string;
  scheduleId: string | null;
}

export interface Audit extends Subject {
  reason: string;
  from?: string;
}

/** A row that was moved, with the columns of `returning`. */
export type Moved<R, T> = T & { row: R };

/**
 * Moves rows along edges of their state machine, in one statement that skips rows that have left the expected state; then
 * books the money, writes the audit trail, and appends the events of the moved rows. Returns them in the order of `rows`.
 */
export async function moveRows<S extends string, R, T extends object = object>(
  tx: Tx,
  now: Temporal.Instant,
  step: Step<S, R>,
): Promise<Moved<R, T>[]> {
  if (step.rows.length === 0) return [];
  const found = await tx.rows<T & { position: number }>(statementOf(step), valuesOf(step));
  const moved = found
    .sort((a, b) => a.position - b.position)
    .flatMap((one) => {
      const row = step.rows[one.position - 1];
      return row === undefined ? [] : [{ ...one, row }];
    });
  if (moved.length === 0) return [];
  const rows = moved.map(({ row }) => row);
  await step.book?.(rows);
  await writeChanges(tx, now, step, rows);
  await writeEvents(tx, now, step, rows);
  return moved;
}

const chosenOf = <S extends string, R>(step: Step<S, R>, row: R): Move<S> | undefined =>
  step.choose?.(row) ?? ('to' in step.move ? step.move : undefined);

function writeChanges<S extends string, R>(
  tx: Tx,
  now: Temporal.Instant,
  step: Step<S, R>,
  rows: readonly R[],
): Promise<void> {
  const { audit } = step;
  if (audit === undefined) return Promise.resolve();
  const changes = rows.flatMap((row) => {
    const move = chosenOf(step, row);
    const { from = move?.statusBefore, ...line } = audit(row);
    const to = move?.statusAfter;
    return from === undefined || from === null || to === undefined || from === to
      ? []
      : [{ ...line, from, to }];
  });
  return recordChanges(tx, now, changes);
}

async function writeEvents<S extends string, R>(
  tx: Tx,
  now: Temporal.Instant,
  { audit, events, ...step }: Step<S, R>,
  rows: readonly R[],
): Promise<void> {
  const happened = rows.flatMap((row) => {
    const kinds = chosenOf(step, row)?.events ?? [];
    if (kinds.length === 0) return [];
    const about = events?.about ?? audit;
    if (events === undefined || about === undefined)
      throw new Error(`a move that names ${kinds.join(', ')} is made without it`);
    const { merchantId, objectId: subjectId, scheduleId } = about(row);
    return kinds.map((kind) => ({
      ...{ merchantId, kind, scheduleId, subjectId },
      ...events.of(row, kind),
    }));
  });
  if (events !== undefined) await appendEvents({ platform: events.platform, tx, now }, happened);
}
