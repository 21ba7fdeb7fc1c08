import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { type Harness, openHarness } from '../../test-support/harness.ts';
import { findHolds, insertHold, lockHolds, setHoldEnd } from '../merchants/holds/hold-store.ts';
import { accountHoldsStage } from './account-hold.ts';

let h: Harness;
before(async () => {
  h = await openHarness();
});
after(() => h.close());

const hold = async () => (await h.db.read((tx) => findHolds(tx, h.merchantId))).account_changed;

test('a hold that is prolonged while it is about to end stands until its new end', async () => {
  const now = h.clock.at;
  const later = now.add({ hours: 48 });
  const kind = 'account_changed';
  await h.db.transaction((tx) =>
    insertHold(tx, h.merchantId, kind, { since: now, by: 'service', reason: 'a', endsAt: now }),
  );
  const stage = accountHoldsStage(h.platform);
  let ending: Promise<number> | undefined;
  await h.db.transaction(async (tx) => {
    await lockHolds(tx);
    assert.equal(await setHoldEnd(tx, h.merchantId, kind, later), true);
    ending ??= stage.run(now, 10);
    await Promise.race([ending, setTimeout(300)]);
  });
  await ending;
  assert.equal(String((await hold())?.endsAt), String(later));
  await stage.run(later, 10);
  assert.equal(await hold(), undefined);
  assert.equal(
    await h.db.transaction((tx) => setHoldEnd(tx, h.merchantId, kind, later)),
    false,
    'who would prolong one that has ended meanwhile gives a new one',
  );
});
