import { byShard } from '../../platform/cluster/shards.ts';
import type { Db } from '../../platform/db/db.ts';
import { BEFORE_FIRST_ROW, type Noun, nextPage, type Subject } from '../findings/nouns.ts';
import {
  type Change,
  findChanges,
  findNewestEvents,
  findPayers,
  type Mark,
  type TrailCursor,
} from './change-store.ts';

/** Merchants whose trails are read by one statement, and the number of changes that it returns at most. */
const BATCH_SIZE = 100;
const PER_PAGE = 20_000;
/** The most rows that a look remembers: some 20 MB. */
const MAX_REMEMBERED = 200_000;

/** The rows that changed, by noun. */
export type Changed = Map<Noun, Subject[]>;

/** What the pages of one look have shown so far. */
interface ReadSoFar {
  /** Rows, with their nouns. */
  rows: Set<string>;
  /** How many changes of each schedule. */
  changes: Map<string, number>;
}

/**
 * Yields what changed since the mark, page by page, and each row once: its changes may lie in several pages. A second check of it
 * would show nothing that the next look does not, which reads again what was not committed when this one began. What changes
 * meanwhile is left to the next look too: where changes come as fast as they are checked, this one would not end.
 */
export async function* changedSince(
  db: Db,
  mark: Mark,
  perPage: number = PER_PAGE,
): AsyncIterable<Changed> {
  const shown: ReadSoFar = { rows: new Set(), changes: new Map() };
  for (let after = BEFORE_FIRST_ROW; ; ) {
    const merchants = await db.transaction((tx) => nextPage(tx, 'merchant', after, BATCH_SIZE));
    const places = merchants.map(({ merchantId }) => ({ merchantId, after: mark.changeId }));
    for (const some of await db.read((tx) => byShard(tx, places, (place) => place.merchantId)))
      for await (const changes of changesOf(db, some, mark.lastChangeId, perPage))
        yield onlyNew(await changedBy(db, changes, shown.changes), shown);
    const last = merchants.at(-1);
    if (last === undefined || merchants.length < BATCH_SIZE) return;
    after = last;
  }
}

/** Returns the rows that no page has shown, and remembers them; too many to remember are shown again. */
function onlyNew(changed: Changed, { rows, changes }: ReadSoFar): Changed {
  const isNew = (noun: Noun, { merchantId, id }: Subject): boolean =>
    rows.size < rows.add(`${noun} ${merchantId} ${id}`).size;
  const found = [...changed].map(([noun, subjects]): [Noun, Subject[]] => [
    noun,
    subjects.filter((subject) => isNew(noun, subject)),
  ]);
  if (rows.size > MAX_REMEMBERED) for (const memory of [rows, changes]) memory.clear();
  return new Map(found);
}

async function* changesOf(
  db: Db,
  merchants: readonly TrailCursor[],
  lastChange: number,
  perPage: number,
): AsyncIterable<Change[]> {
  for (let places = [...merchants]; places.length > 0; ) {
    const limit = Math.ceil(perPage / places.length);
    const some = places;
    const changes = await db.transaction((tx) => findChanges(tx, some, lastChange, limit));
    if (changes.length > 0) yield changes;
    places = unreadOf(changes, limit);
  }
}

/** Returns the places of the merchants that may have more changes. */
function unreadOf(changes: readonly Change[], limit: number): TrailCursor[] {
  const byMerchant = new Map<string, { count: number; after: number }>();
  for (const { merchantId, changeId } of changes) {
    const { count = 0, after = 0 } = byMerchant.get(merchantId) ?? {};
    byMerchant.set(merchantId, { count: count + 1, after: Math.max(after, changeId) });
  }
  return [...byMerchant].flatMap(([merchantId, { count, after }]) =>
    count < limit ? [] : [{ merchantId, after }],
  );
}

const NOUN_OF: Readonly<Record<string, Noun>> = {
  pay: 'payment',
  set: 'settlement',
  ref: 'refund',
  dsp: 'dispute',
  con: 'consent',
  una: 'item',
};

/** What has the payment's id. */
const OF_PAYMENTS: readonly Noun[] = ['work', 'attempt', 'order', 'to settle'];

/**
 * Returns the rows that changes are about: with the schedules, customers and consents of payments, and with the newest events of
 * the schedules, as many as each has changes here and in `before`, to which these are added.
 */
async function changedBy(
  db: Db,
  changes: readonly Change[],
  before: Map<string, number>,
): Promise<Changed> {
  const found = new Map<Noun, Map<string, Subject>>();
  const add = (noun: Noun, merchantId: string, id: string): void => {
    const some = found.get(noun) ?? new Map<string, Subject>();
    found.set(noun, some.set(`${merchantId} ${id}`, { merchantId, id }));
  };
  for (const { merchantId, objectId, scheduleId: id } of changes) {
    const noun = NOUN_OF[objectId.slice(0, objectId.indexOf('_'))];
    if (noun !== undefined) add(noun, merchantId, objectId);
    if (noun === 'payment') for (const one of OF_PAYMENTS) add(one, merchantId, objectId);
    if (id === null) continue;
    add('schedule', merchantId, id);
    const key = `${merchantId} ${id}`;
    before.set(key, (before.get(key) ?? 0) + 1);
  }
  const payments = [...(found.get('payment')?.values() ?? [])];
  const payers =
    payments.length === 0 ? [] : await db.transaction((tx) => findPayers(tx, payments));
  for (const one of payers) {
    add('customer', one.merchantId, one.customerId);
    add('consent', one.merchantId, one.consentId);
  }
  const schedules = [...(found.get('schedule') ?? [])].map(([key, schedule]) => ({
    ...schedule,
    changes: before.get(key) ?? 0,
  }));
  const events =
    schedules.length === 0 ? [] : await db.transaction((tx) => findNewestEvents(tx, schedules));
  for (const { merchantId, id } of events) add('event', merchantId, id);
  return new Map([...found].map(([noun, some]) => [noun, [...some.values()]]));
}
