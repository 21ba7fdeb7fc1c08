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
import { completeMovements, nextCompletionAt } from './completions.ts';
import type { IssuerConfig } from './config.ts';
import { createDeliverer, type Deliverer } from './deliverer.ts';
import { applyConfiguredModes } from './modes.ts';
import { nextNotificationAt } from './notifications.ts';
import { nextOutgoingAt, sendOutgoing } from './outgoing.ts';
import { makeReversals, nextReversalAt } from './reversals.ts';
import { ISSUER_SCHEMA } from './schema.ts';

/** The parts of a running issuer, without its HTTP server. */
export interface Issuer {
  config: IssuerConfig;
  store: Store;
  clock: SandboxClock;
  deliverer: Deliverer;
  timekeeper: Timekeeper;
}

/** Opens the books in the configured folder and assembles the parts. */
export function openIssuer(config: IssuerConfig): Issuer {
  const store = openStore(join(config.data_dir, 'issuer.sqlite'), ISSUER_SCHEMA);
  const isFirstStart = !store.get('SELECT 1 FROM accounts LIMIT 1');
  openBooks(store);
  applyConfiguredModes(store, config.modes ?? []);
  const clock = openClock(store);
  if (isFirstStart && config.start_at) clock.set(Temporal.Instant.from(config.start_at), true);
  const deliverer = createDeliverer(store, clock, config.partner);
  const work = dueWork(store, config, deliverer);
  const timekeeper = createTimekeeper(clock, work, (error) => console.error(error));
  return { config, store, clock, deliverer, timekeeper };
}

/**
 * Completes payouts and pending transfers and makes reversals; then pays what they owe to accounts at banks, notifies the partner
 * of them, and retries undelivered notifications.
 */
function dueWork(store: Store, config: IssuerConfig, deliverer: Deliverer): DueWork {
  return {
    nextDue: () => {
      const moments = [nextCompletionAt, nextReversalAt, nextOutgoingAt, nextNotificationAt];
      const first = moments
        .map((next) => next(store))
        .filter((at) => at !== null)
        .sort()[0];
      return first === undefined ? null : Temporal.Instant.from(first);
    },
    runDue: async (at) => {
      completeMovements(store, isoInstant(at));
      makeReversals(store, isoInstant(at));
      await sendOutgoing(store, config.faster_payments, at);
      await deliverer.deliverDue();
    },
  };
}
