import type { Sender } from '../../../server/src/webhooks/sender.ts';
import type { PartnerPair } from '../http-partners.ts';
import type { World } from '../world.ts';

/** A collection that is due: what a job carries. */
export interface Due {
  merchantId: string;
  scheduleId: string;
}

/** An event to be told: what the job that follows carries. */
export interface Tell {
  merchantId: string;
  eventId: string;
}

/** What jobs work with. */
export interface PeerStand extends PartnerPair {
  world: World;
  sender: Sender;
}

/** A queue with its jobs loaded: what is due is in it, nobody works yet. */
export interface Loaded {
  /** Begins to work. */
  work(): Promise<void>;
  /** Stops working and gives back what was opened. */
  stop(): Promise<void>;
  /** Process ids beside PostgreSQL and this process, whose CPU counts. */
  pids: readonly number[];
}

/** A library that does the queueing. */
export interface Peer {
  name: string;
  /** Null where it cannot run here, after saying why. */
  load(stand: PeerStand, due: readonly Due[], say: (line: string) => void): Promise<Loaded | null>;
}
