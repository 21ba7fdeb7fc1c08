import { columns } from '../../../server/src/platform/db/columns.ts';
import type { Tx } from '../../../server/src/platform/db/db.ts';
import { mapInParallel } from '../../../server/src/platform/network/concurrency-limits.ts';
import type { Answer } from '../../../server/src/webhooks/sender.ts';
import { type Outgoing, sendEvent, WIDTH } from './calls.ts';
import type { EventToSend, PeerDeps } from './peer.ts';
import * as sql from './safe-sql.ts';

interface Try {
  event: Outgoing;
  answer: Answer;
}

/** Sends events to the endpoints that have not acknowledged them, and records every try. Throws if one was not acknowledged. */
export async function deliver(stand: PeerDeps, tells: readonly EventToSend[]): Promise<void> {
  const { db } = stand.world;
  const events = await db.read((tx) =>
    tx.rows<Outgoing>(sql.OUTGOING, columns(tells, 'merchantId', 'eventId')),
  );
  if (events.length === 0) return;
  const tries = await mapInParallel(events, WIDTH, async (event) => ({
    event,
    answer: await sendEvent(stand, event),
  }));
  await db.transaction((tx) => record(tx, stand, tries));
  const failed = tries.find(({ answer }) => answer.error !== null);
  if (failed !== undefined) throw new Error(failed.answer.error ?? '');
}

interface Recorded {
  deliveryId: string;
  eventId: string;
  endpointId: string;
  attempts: number;
  isInRow: boolean;
}

const keyOf = (one: { eventId: string; endpointId: string }): string =>
  `${one.eventId} ${one.endpointId}`;

async function record(
  tx: Tx,
  { world: { platform } }: PeerDeps,
  tries: readonly Try[],
): Promise<void> {
  const now = platform.clock.now();
  const [merchants, events, endpoints] = columns(
    tries.map(({ event }) => event),
    'merchantId',
    'eventId',
    'endpointId',
  );
  const answers = tries.map(({ answer }) => answer);
  const [status, body, error, duration] = columns(answers, 'status', 'body', 'error', 'durationMs');
  const rows = await tx.rows<Recorded>(sql.RECORD_TRIES, [
    merchants,
    tries.map(() => platform.ids.next('del', now)),
    events,
    endpoints,
    error.map((why) => why === null),
    status,
    body,
    duration,
    now,
  ]);
  const tryOf = new Map(tries.map((one) => [keyOf(one.event), one]));
  const apart = rows.flatMap(({ isInRow, ...row }) => {
    const one = tryOf.get(keyOf(row));
    if (isInRow || one === undefined) return [];
    return [{ ...row, merchantId: one.event.merchantId, ...one.answer }];
  });
  if (apart.length === 0) return;
  await tx.run(sql.INSERT_TRIES, [
    ...columns(
      apart,
      'merchantId',
      'deliveryId',
      'attempts',
      'status',
      'body',
      'error',
      'durationMs',
    ),
    now,
  ]);
}
