import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { type Harness, type MerchantSide, openHarness } from '../../test-support/harness.ts';
import { asOwner } from '../../test-support/owner.ts';
import { findNearNames } from './near-names.ts';
import { reindexCustomers } from './reindex.ts';
import { blindWords } from './sealed.ts';
import { findCustomerIds } from './search.ts';
import { changeCustomer, identifyCustomers } from './service.ts';
import { indexEntries, readingsOf, wordsOf, wordsOfName } from './words.ts';

let h: Harness;
let other: MerchantSide;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  other = await h.merchant();
});
after(() => h.close());

let numbers = 100_000;
const add = (merchantId: string, name: string): Promise<string> =>
  h.db.forMerchant(merchantId, async (tx) => {
    const customer = { type: 'phone', value: `+447700${numbers++}` } as const;
    const asked = { tx, now: h.clock.at, merchantId };
    const [made] = await identifyCustomers(h.platform, asked, [{ customer, profile: { name } }]);
    return made?.id ?? '';
  });
const rename = (merchantId: string, id: string, name: string | null): Promise<unknown> =>
  h.db.forMerchant(merchantId, (tx) =>
    changeCustomer(h.platform, { tx, now: h.clock.at, merchantId }, id, { name }),
  );
const find = (merchantId: string, typed: string): Promise<string[]> =>
  h.db.forMerchant(merchantId, (tx) => findCustomerIds(h.platform, tx, merchantId, typed));
const alike = (merchantId: string, typed: string): Promise<string[]> =>
  h.db.forMerchant(merchantId, (tx) => findNearNames(h.platform, tx, merchantId, typed, 3));
const wordsInAll = (): Promise<{ customerId: string; word: string }[]> =>
  h.db.read((tx) =>
    tx.rows(`SELECT customer_id, encode(word, 'hex') AS word FROM customer_words ORDER BY 1, 2`),
  );

test('a search finds those customers of whom a word begins with each word typed, and nobody else', async () => {
  const { merchantId } = await h.merchant();
  const word = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.string({ unit: fc.constantFrom(...'aebß’øΣ.-'), minLength: 2, maxLength: 8 }),
  );
  const names = fc
    .array(word, { minLength: 1, maxLength: 3 })
    .map((words) => words.join(' ').trim());
  const people = new Map<string, string[]>();
  for (const name of fc.sample(names, 40).filter((one) => !/^$|\p{Cc}/u.test(one)))
    people.set(await add(merchantId, name), wordsOfName(name));
  const begun = [...people.values()]
    .flat()
    .flatMap((one) => [one.slice(0, 3), one.slice(0, 5), one]);
  for (const typed of [...new Set(begun)].filter((one) => wordsOf(one).join('') === one)) {
    const expected = [...people].flatMap(([id, words]) =>
      readingsOf(typed).some((reading) =>
        reading.every((part) =>
          words.some((one) => ([...part].length < 3 ? one === part : one.startsWith(part))),
        ),
      )
        ? [id]
        : [],
    );
    const found = await find(merchantId, typed);
    assert.deepEqual(found.toSorted(), expected.toSorted(), JSON.stringify(typed));
  }
});

test('a renamed customer is found by the new name alone, and one without a name by none', async () => {
  const id = await add(h.merchantId, 'Olivia Featherstonehaugh');
  assert.deepEqual(await find(h.merchantId, 'feather oli'), [id]);
  await rename(h.merchantId, id, 'Olivia Fernsby');
  assert.deepEqual(await find(h.merchantId, 'feather'), []);
  assert.deepEqual(await find(h.merchantId, 'ferns'), [id]);
  await rename(h.merchantId, id, null);
  for (const typed of ['fern', 'olivia', 'oli'])
    assert.deepEqual(await find(h.merchantId, typed), []);
});

test('the same name has other entries at another merchant, who does not find it', async () => {
  const id = await add(h.merchantId, 'Zebedee Quillfeather');
  const entries = (merchantId: string): string[] =>
    blindWords(h.platform, merchantId, ['begins:qui']).map((one) => one.toString('hex'));
  const present = (await wordsInAll()).filter(({ customerId }) => customerId === id);
  assert.ok(present.some(({ word }) => entries(h.merchantId).includes(word)));
  assert.ok(!present.some(({ word }) => entries(other.merchantId).includes(word)));
  for (const typed of ['quill', 'zeb']) assert.deepEqual(await find(other.merchantId, typed), []);
});

test('a name that is one edit away is offered, and one of another merchant never', async () => {
  const id = await add(h.merchantId, 'Kim Lindqvist');
  await add(h.merchantId, 'Robin Lindhagen');
  await add(other.merchantId, 'Kim Lindqvist');
  for (const typed of [
    'lindqist',
    'Lindqivst',
    'lindqvisst',
    'linqvist',
    'kim lindkvist',
    'Lindqvost kim',
  ])
    assert.deepEqual(await alike(h.merchantId, typed), [id], typed);
  for (const typed of ['robin lindqist', 'lindhqist', 'lin', 'zzz', '', '0123', '🎻'])
    assert.deepEqual(await alike(h.merchantId, typed), [], typed);
});

test('a new index adds what is missing, removes what no longer fits, and leaves what an older version looks for', async () => {
  const id = await add(h.merchantId, 'Ægir Weiß');
  const expected = await wordsInAll();
  const old = ['word:aegir', 'word:weiss'];
  const stale = ['begins:feathe', 'word:gone'];
  const { merchantId } = h;
  await asOwner(h.db, async (tx) => {
    const kept = blindWords(h.platform, merchantId, old);
    await tx.run('DELETE FROM customer_words WHERE customer_id = $1 AND word <> ALL($2::bytea[])', [
      id,
      kept,
    ]);
    for (const word of blindWords(h.platform, merchantId, stale))
      await tx.run('INSERT INTO customer_words VALUES ($1, $2, $3)', [merchantId, word, id]);
  });
  assert.deepEqual(await find(merchantId, 'aegir weiss'), [id], 'found whole before');
  assert.deepEqual(await find(merchantId, 'aegi'), []);
  assert.ok((await reindexCustomers(h.platform)) > 1);
  assert.deepEqual(await wordsInAll(), expected);
  const entries = indexEntries({
    phone: null,
    account: null,
    name: 'Ægir Weiß',
    email: null,
    reference: null,
  });
  for (const one of old) assert.ok(entries.includes(one), one);
});

test('a change during a new index waits for it, and is what the index has in the end', async () => {
  const { merchantId } = await h.merchant();
  const ids = await Promise.all(
    Array.from({ length: 20 }, (_, n) => add(merchantId, `Person Number${n}`)),
  );
  await asOwner(h.db, (tx) =>
    tx.run('DELETE FROM customer_words WHERE merchant_id = $1', [merchantId]),
  );
  await Promise.all([
    reindexCustomers(h.platform),
    reindexCustomers(h.platform),
    ...ids.map((id) => rename(merchantId, id, 'Other Ainsworth')),
  ]);
  await reindexCustomers(h.platform);
  assert.deepEqual((await find(merchantId, 'ainsw oth')).toSorted(), ids.toSorted());
  assert.deepEqual(await find(merchantId, 'person'), []);
});
