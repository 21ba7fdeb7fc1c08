import { paymentIdOf } from '../../../server/src/payments/payment/payment.ts';
import type { Tx } from '../../../server/src/platform/db/db.ts';
import type { Notification } from '../../../server/src/platform/inbox.ts';
import type { Platform } from '../../../server/src/platform/platform.ts';
import type { Sender } from '../../../server/src/webhooks/sender.ts';
import type { PartnerPair } from '../http-partners.ts';
import type { World } from '../world.ts';

/** A due occurrence and the id of its payment: the payload of a job. */
export interface Due {
  merchantId: string;
  scheduleId: string;
  paymentId: string;
  dueDate: string;
}

/** An event to send: the payload of the job that follows. */
export interface EventToSend {
  merchantId: string;
  eventId: string;
}

/** The dependencies of jobs. */
export interface PeerDeps extends PartnerPair {
  world: Pick<World, 'url' | 'db' | 'platform'>;
  sender: Sender;
}

/** Adds the jobs that follow, in the transaction of the postings. */
export type Enqueue = (tx: Tx, tells: readonly EventToSend[]) => Promise<void>;

/** What the jobs do, whichever library runs them. */
export interface Jobs {
  how: 'as quick as it goes' | 'as safe as ours';
  /** Collects what is due. Returns the events to send, of which `enqueue` has added those that are new. */
  collect(stand: PeerDeps, due: readonly Due[], enqueue: Enqueue): Promise<EventToSend[]>;
  /** Delivers events. Throws if one was not acknowledged: the library retries. */
  deliver(stand: PeerDeps, tells: readonly EventToSend[]): Promise<void>;
  /** Takes the issuer's notice of a pay-in, which arrives before the bank responds. */
  receive(stand: PeerDeps): (notice: Notification) => Promise<void>;
}

/** A queue loaded with the due jobs, before any work. */
export interface Loaded {
  /** Starts working. */
  work(): Promise<void>;
  /** Stops working and releases its resources. */
  stop(): Promise<void>;
}

/** A queueing library. */
export interface Peer {
  name: string;
  load(stand: PeerDeps, jobs: Jobs, due: readonly Due[]): Promise<Loaded>;
}

/** Returns the jobs of what is due of a merchant; each payment has the id that the service would give it. */
export async function findDue(tx: Tx, { vault }: Platform, merchantId: string): Promise<Due[]> {
  const rows = await tx.rows<{ scheduleId: string; dueAt: Temporal.Instant }>(
    'SELECT schedule_id, due_at FROM schedule_agenda WHERE merchant_id = $1 AND due_at IS NOT NULL',
    [merchantId],
  );
  return rows.map(({ scheduleId, dueAt: dueDate }) => ({
    merchantId,
    scheduleId,
    paymentId: paymentIdOf(vault, { merchantId, scheduleId, dueDate }),
    dueDate: dueDate.toString(),
  }));
}
