import { byShard } from '../platform/db/shards.ts';
import type { Db } from '../platform/db.ts';
import {
  type Change,
  findChanges,
  findNewestEvents,
  findPayers,
  type Place,
} from './change-store.ts';
import { FIRST, type Noun, nextPage, type Subject } from './nouns.ts';

/** Merchants whose trails are read by one statement, and the number of changes that it returns at most. */
const TOGETHER = 100;
const PER_PAGE = 20_000;

/** The rows that changed, by noun. */
export type Changed = Map<Noun, Subject[]>;

/** Yields what changed after a place in the audit trail, page by page. */
export async function* changedAfter(db: Db, changeId: number): AsyncIterable<Changed> {
  for (let after = FIRST; ; ) {
    const merchants = await db.transaction((tx) => nextPage(tx, 'merchant', after, TOGETHER));
    const places = merchants.map(({ merchantId }) => ({ merchantId, after: changeId }));
    for (const some of await db.read((tx) => byShard(tx, places, (place) => place.merchantId)))
      yield* changesOf(db, some);
    const last = merchants.at(-1);
    if (last === undefined || merchants.length < TOGETHER) return;
    after = last;
  }
}

async function* changesOf(db: Db, merchants: readonly Place[]): AsyncIterable<Changed> {
  for (let places = [...merchants]; places.length > 0; ) {
    const limit = Math.ceil(PER_PAGE / places.length);
    const some = places;
    const changes = await db.transaction((tx) => findChanges(tx, some, limit));
    if (changes.length > 0) yield await changedBy(db, changes);
    places = unreadOf(changes, limit);
  }
}

/** Returns the places of the merchants that may have more changes. */
function unreadOf(changes: readonly Change[], limit: number): Place[] {
  const byMerchant = new Map<string, { count: number; after: number }>();
  for (const { merchant_id, change_id } of changes) {
    const { count = 0, after = 0 } = byMerchant.get(merchant_id) ?? {};
    byMerchant.set(merchant_id, { count: count + 1, after: Math.max(after, change_id) });
  }
  return [...byMerchant].flatMap(([merchantId, { count, after }]) =>
    count < limit ? [] : [{ merchantId, after }],
  );
}

const NOUN_OF: Readonly<Record<string, Noun>> = {
  pay: 'payment',
  set: 'settlement',
  ref: 'refund',
  con: 'consent',
  una: 'item',
};

/** What has the payment's id. */
const OF_PAYMENTS: readonly Noun[] = ['work', 'attempt', 'order', 'to settle'];

/** Returns the rows that changes are about: with the schedules, customers and consents of payments, and with their events. */
async function changedBy(db: Db, changes: readonly Change[]): Promise<Changed> {
  const found = new Map<Noun, Map<string, Subject>>();
  const counts = new Map<string, Subject & { changes: number }>();
  const add = (noun: Noun, merchantId: string, id: string): void => {
    const some = found.get(noun) ?? new Map<string, Subject>();
    found.set(noun, some.set(`${merchantId} ${id}`, { merchantId, id }));
  };
  for (const { merchant_id: merchantId, object_id, schedule_id: id } of changes) {
    const noun = NOUN_OF[object_id.slice(0, object_id.indexOf('_'))];
    if (noun !== undefined) add(noun, merchantId, object_id);
    if (noun === 'payment') for (const one of OF_PAYMENTS) add(one, merchantId, object_id);
    if (id === null) continue;
    add('schedule', merchantId, id);
    const key = `${merchantId} ${id}`;
    counts.set(key, { merchantId, id, changes: (counts.get(key)?.changes ?? 0) + 1 });
  }
  const payments = [...(found.get('payment')?.values() ?? [])];
  const payers =
    payments.length === 0 ? [] : await db.transaction((tx) => findPayers(tx, payments));
  for (const one of payers) {
    add('customer', one.merchant_id, one.customer_id);
    add('consent', one.merchant_id, one.consent_id);
  }
  const changed = [...counts.values()];
  const events =
    changed.length === 0 ? [] : await db.transaction((tx) => findNewestEvents(tx, changed));
  for (const { merchantId, id } of events) add('event', merchantId, id);
  return new Map([...found].map(([noun, some]) => [noun, [...some.values()]]));
}
