import type { Sender } from '../../../server/src/webhooks/sender.ts';
import type { PartnerPair } from '../http-partners.ts';
import type { World } from '../world.ts';

/** A due collection: the payload of a job. */
export interface Due {
  merchantId: string;
  scheduleId: string;
}

/** An event to send: the payload of the job that follows. */
export interface Tell {
  merchantId: string;
  eventId: string;
}

/** The dependencies of jobs. */
export interface PeerStand extends PartnerPair {
  world: World;
  sender: Sender;
}

/** A queue loaded with the due jobs, before any work. */
export interface Loaded {
  /** Starts working. */
  work(): Promise<void>;
  /** Stops working and releases its resources. */
  stop(): Promise<void>;
  /** Process ids whose CPU counts, besides PostgreSQL and this process. */
  pids: readonly number[];
}

/** A queueing library. */
export interface Peer {
  name: string;
  /** Null if it cannot run here, after reporting why. */
  load(stand: PeerStand, due: readonly Due[], say: (line: string) => void): Promise<Loaded | null>;
}
