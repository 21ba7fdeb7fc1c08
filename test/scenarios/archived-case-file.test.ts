import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caseFileDeps } from '../../server/src/app/wiring/case-files.ts';
import type { CaseFile } from '../../server/src/disputes/case-file/gather.ts';
import { takeCaseFile } from '../../server/src/disputes/case-file/service.ts';
import { openDispute, rejectDispute } from '../../server/src/disputes/service.ts';
import { eraseCustomer } from '../../server/src/privacy/service.ts';
import { asked, paymentsOf } from '../../server/test-support/books.ts';
import type { Harness } from '../../server/test-support/harness.ts';
import { textIn } from '../../server/test-support/zip.ts';
import { openMonths, TRACES } from './archive-months.ts';

async function fileOf(h: Harness, disputeId: string): Promise<CaseFile> {
  const { bytes } = await takeCaseFile(
    caseFileDeps(h.platform, new Map([[h.bank.bankId, h.bank]])),
    {
      now: h.clock.at,
      merchantId: h.merchantId,
      disputeId,
      transact: (work) => h.db.forMerchant(h.merchantId, work),
    },
  );
  return JSON.parse(textIn(bytes, 'case.json')) as CaseFile;
}

test('a payment whose history is in the archive still gives its case file, and an erased customer’s names nobody', async (t) => {
  const { h, scheduleId, archive } = await openMonths(t);
  const payments = await paymentsOf(h, scheduleId);
  const payment = payments[1];
  const { id } = await h.db.forMerchant(h.merchantId, (tx) =>
    openDispute({ platform: h.platform }, asked(h, tx), payment?.id ?? '', {
      reason: 'not_received',
      note: 'Kim Fernsby was away',
      raisedBy: 'customer',
    }),
  );
  const before = await fileOf(h, id);
  await archive();
  const after = await fileOf(h, id);
  const told = (file: CaseFile) =>
    file.events.map(({ kind, about, at }) => [kind, about, at].join(' '));
  assert.deepEqual(told(after), told(before), 'every event is there');
  const changed = (file: CaseFile) =>
    file.changes.filter(({ to }) => to !== 'exported').map(({ id: change, to }) => [change, to]);
  assert.deepEqual(changed(after), changed(before), 'and every change');
  const sources = new Set(after.events.map(({ read_from: from }) => from));
  assert.deepEqual(sources, new Set(['archive', 'database']));
  assert.deepEqual(after.ledger, before.ledger);
  assert.equal(after.dispute.note, 'Kim Fernsby was away');

  const disputes = { platform: h.platform, refunds: h.service.refunds };
  await h.db.forMerchant(h.merchantId, (tx) =>
    rejectDispute(disputes, asked(h, tx), id, 'Kim Fernsby came each week'),
  );
  await h.update(scheduleId, { status: 'cancelled' });
  await h.runUntil(h.clock.at.add({ hours: 24 * 14 }));
  await h.db.transaction((tx) =>
    eraseCustomer(h.platform, tx, h.clock.at, {
      merchantId: h.merchantId,
      customerId: after.customer.id,
      reason: 'asked for',
      metadata: true,
    }),
  );
  const erased = await fileOf(h, id);
  assert.ok(erased.customer.erased_at !== null);
  const text = JSON.stringify(erased);
  for (const trace of TRACES) assert.ok(!text.includes(trace), `the file names ${trace}`);
});
