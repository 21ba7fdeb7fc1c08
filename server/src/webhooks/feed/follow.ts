import { setTimeout as sleep } from 'node:timers/promises';
import type { Db } from '../../platform/db/db.ts';
import { decodeCursor, encodeCursor, START } from '../../platform/http/lists/cursor.ts';
import type { Platform } from '../../platform/platform.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { advance, type Horizon } from './horizon.ts';
import { eventsBehind, type FeedRow, isAt, look, newTransactionId } from './store.ts';

/** How long a read waits for transactions that may still commit earlier positions, in milliseconds: then it shows what it can. */
const WAITS = [0, 5, 10, 20, 40, 80];

/**
 * Finds how far the feed can be read. It needs no table and no lock: each process looks for itself, and one that has not looked
 * yet shows less. See docs/decisions/0058-a-feed-without-loss.md.
 */
export class FeedHorizon {
  readonly #db: Db;
  #horizon: Horizon | null = null;
  #looking: Promise<number> | null = null;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Returns the last position that can be read: no event can take one up to it any more. */
  settled(): Promise<number> {
    this.#looking ??= this.#settle().finally(() => {
      this.#looking = null;
    });
    return this.#looking;
  }

  async #settle(): Promise<number> {
    const wanted = await this.#look();
    for (const wait of WAITS) {
      if ((this.#horizon?.settled ?? 0) >= wanted) break;
      await sleep(wait);
      await this.#look();
    }
    return this.#horizon?.settled ?? 0;
  }

  /** Looks once; returns the last position that was taken by then. */
  async #look(): Promise<number> {
    const seen = await this.#db.read(look);
    const horizon = advance(this.#horizon, seen);
    this.#horizon = horizon;
    if (horizon.waiting === null && horizon.settled < seen.position) {
      // The position first, then the id: whoever took a position up to this one had an id before.
      const transaction = await this.#db.read(newTransactionId);
      this.#horizon = { ...horizon, waiting: { position: seen.position, transaction } };
    }
    return seen.position;
  }
}

const FEED = 'events feed';

/** Returns the cursor behind an event of the feed. */
export const cursorOf = ({ position, eventId }: FeedRow): string =>
  encodeCursor(FEED, [position, eventId]);

/** Events of a feed, and where it goes on. */
export interface FeedPage {
  rows: FeedRow[];
  next: string;
  hasMore: boolean;
}

/**
 * Returns the merchant's events behind a cursor. Throws 400 `after` for what is no cursor of a feed, 410 `cursor_gone` where the
 * event that it names is not here any more, 404 on a cluster.
 */
export async function readFeed(
  { db }: Pick<Platform, 'db'>,
  horizon: FeedHorizon,
  merchantId: string,
  { after, limit }: { after?: string; limit: number },
): Promise<FeedPage> {
  if (await db.isOnCluster())
    throw new ApiError('not_found', 'There is no feed here: the database is a cluster.');
  const place = decodeCursor(after, FEED, ['integer', 'text']);
  const settled = await horizon.settled();
  const [position, eventId] = place ?? [0, ''];
  const [isKnown, rows] = await db.forMerchant(
    merchantId,
    (tx) =>
      Promise.all([
        place === null || isAt(tx, merchantId, eventId, position),
        eventsBehind(tx, merchantId, position, settled, limit + 1),
      ]),
    { onlyReads: true },
  );
  if (!isKnown)
    throw new ApiError(
      'cursor_gone',
      'The event that after names is not here any more: it is in the archive, or the database was restored to an earlier moment. Begin again with start, and skip the events that you have.',
      { after: 'names an event that is not here any more' },
    );
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    rows: shown,
    next: last === undefined ? (after ?? START) : cursorOf(last),
    hasMore: rows.length > limit,
  };
}
