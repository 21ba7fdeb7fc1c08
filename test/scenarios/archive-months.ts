import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { archiveHistory } from '../../server/src/archive/service.ts';
import { type ArchiveRow, listArchives } from '../../server/src/archive/store.ts';
import type { Db } from '../../server/src/platform/db/db.ts';
import { createEndpoint } from '../../server/src/webhooks/service.ts';
import { asked, paymentsOf, refund } from '../../server/test-support/books.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';

const KIM = {
  customer: {
    phone: '+447700900322',
    name: 'Kim Fernsby',
    email: 'kim@fernsby.example',
    reference: 'K-77-REF',
  },
  description: 'Yoga with Kim Fernsby',
  metadata: { guardian: 'Ms Fernsby' },
};
/** What names Kim. */
export const TRACES = ['447700900322', 'Fernsby', 'fernsby', 'K-77-REF', 'guardian'];
const KINDS = ['collection.success', 'collection.failed', 'refund.success', 'settlement.success'];

/** Lets Kim pay each month; nothing listens where the events are sent. Returns the schedule's id and the endpoint's. */
async function payMonths(h: Harness): Promise<{ scheduleId: string; endpointId: string }> {
  const { endpoint } = await h.db.forMerchant(h.merchantId, (tx) =>
    createEndpoint(h.platform, asked(h, tx), {
      url: 'https://127.0.0.1:9/hooks',
      eventKinds: KINDS,
    }),
  );
  const { id: scheduleId } = await h.agreed(KIM);
  await h.runUntil('2026-01-20T12:00:00Z');
  await h.update(scheduleId, { status: 'paused' }); // an order sent after it is explained by the payment's own history
  await h.update(scheduleId, { status: 'active' });
  await h.runUntil('2026-03-10T10:00:00Z');
  const [first] = await paymentsOf(h, scheduleId);
  await refund(h, first?.id ?? '', {
    amount: { value: 500, currency: 'GBP' },
    reason: 'Ms Fernsby moved',
  });
  await h.runUntil('2026-07-20T12:00:00Z');
  return { scheduleId, endpointId: endpoint.endpointId };
}

/** Seven months of Kim's, and a folder to archive them to. */
export interface Months {
  h: Harness;
  folder: string;
  scheduleId: string;
  endpointId: string;
  /** Archives what is older than three months. */
  archive(db?: Db): Promise<void>;
  archives(): Promise<ArchiveRow[]>;
  /** Lets the next run take over at once. */
  expireLease(): Promise<unknown>;
}

/** Opens a harness with months of Kim's in its books, for a test that lives on. */
export async function openMonths(t: TestContext): Promise<Months> {
  const lived = await liveMonths();
  t.after(() => lived.h.close());
  return monthsOf(t, lived);
}

/**
 * Returns what opens a harness with months of Kim's in its books, lived once for the tests of a file. For tests that do not move
 * the clock: the database is put back after each, the bank and the issuer are not.
 */
export function sharedMonths(): (t: TestContext) => Promise<Months> {
  let living: Promise<Lived> | undefined;
  after(async () => (await living)?.h.close());
  return async (t) => {
    living ??= liveMonths();
    const lived = await living;
    const at = lived.h.clock.at;
    const restore = await lived.h.backUp();
    t.after(async () => {
      await restore();
      assert.equal(lived.h.clock.at, at, 'a test that moves the clock opens months of its own');
    });
    return monthsOf(t, lived);
  };
}

type Lived = Pick<Months, 'h' | 'scheduleId' | 'endpointId'>;

async function liveMonths(): Promise<Lived> {
  const h = await openHarness('2026-01-05T09:30:00Z');
  return { h, ...(await payMonths(h)) };
}

async function monthsOf(t: TestContext, lived: Lived): Promise<Months> {
  const { h } = lived;
  const folder = await mkdtemp(join(tmpdir(), 'recollect-archive-'));
  t.after(() => rm(folder, { recursive: true }));
  return {
    ...lived,
    folder,
    archive: (db = h.db) =>
      archiveHistory({ ...h.platform, db }, { months: 3, folder, by: 'operator:Robin' }),
    archives: () => h.db.transaction(listArchives),
    expireLease: () =>
      h.db.transaction((tx) => tx.run("UPDATE archives SET leased_until = 'epoch'")),
  };
}
