import { join } from 'node:path';
import {
  createTimekeeper,
  type DueWork,
  isoInstant,
  openClock,
  type SandboxClock,
  type Timekeeper,
} from '../clock.ts';
import { openStore, type Store } from '../store.ts';
import { openBooks } from './books.ts';
import type { IssuerConfig } from './config.ts';
import { createDeliverer, type Deliverer } from './deliverer.ts';
import { nextNotificationAt } from './notifications.ts';
import { completePayouts, nextPayoutAt } from './payouts.ts';
import { ISSUER_SCHEMA } from './schema.ts';

/** The parts of a running issuer, without its HTTP server. */
export interface Issuer {
  config: IssuerConfig;
  store: Store;
  clock: SandboxClock;
  deliverer: Deliverer;
  timekeeper: Timekeeper;
}

/** Opens the books in the configured folder and puts the parts together. */
export function openIssuer(config: IssuerConfig): Issuer {
  const store = openStore(join(config.data_dir, 'issuer.sqlite'), ISSUER_SCHEMA);
  const isFirstStart = !store.get('SELECT 1 FROM accounts LIMIT 1');
  openBooks(store);
  const clock = openClock(store);
  if (isFirstStart && config.start_at) clock.set(Temporal.Instant.from(config.start_at), true);
  const deliverer = createDeliverer(store, clock, config.partner);
  const work = dueWork(store, deliverer);
  const timekeeper = createTimekeeper(clock, work, (error) => console.error(error));
  return { config, store, clock, deliverer, timekeeper };
}

/** Payouts get their outcome, then the partner is told: of that, and of what it did not take before. */
function dueWork(store: Store, deliverer: Deliverer): DueWork {
  return {
    nextDue: () => {
      const moments = [nextPayoutAt(store), nextNotificationAt(store)].filter((at) => at !== null);
      const first = moments.sort()[0];
      return first === undefined ? null : Temporal.Instant.from(first);
    },
    runDue: async (at) => {
      completePayouts(store, isoInstant(at));
      await deliverer.deliverDue();
    },
  };
}
