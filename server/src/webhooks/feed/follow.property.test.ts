import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import {
  bareMerchant,
  type OwnPlatform,
  ownPlatform,
} from '../../../test-support/slices/platform.ts';
import type { Tx } from '../../platform/db/db.ts';
import { appendEvents } from '../../platform/state/events.ts';
import { FeedHorizon, readFeed } from './follow.ts';

let platform: OwnPlatform;

before(async () => {
  platform = await ownPlatform();
});
after(() => platform.drop());

const undone = new Error('rolled back on purpose');

/** A transaction that stays open until the test ends it. */
class OpenTransaction {
  readonly #events: { merchantId: string; eventId: string }[] = [];
  readonly #tx: Promise<Tx>;
  readonly #ended: Promise<void>;
  readonly #end = Promise.withResolvers<void>();

  constructor() {
    const begun = Promise.withResolvers<Tx>();
    this.#tx = begun.promise;
    this.#ended = platform.db.transaction(async (tx) => {
      begun.resolve(tx);
      await this.#end.promise;
    });
    this.#ended.catch(() => undefined);
  }

  async append(merchantId: string): Promise<void> {
    const event = { merchantId, kind: 'test', scheduleId: null, subjectId: 'x', data: {} };
    const at = { platform, tx: await this.#tx, now: platform.clock.at };
    const eventIds = await appendEvents(at, [event]);
    this.#events.push(...eventIds.map((eventId) => ({ merchantId, eventId })));
  }

  /** Commits; returns the ids of this merchant's events. */
  async commit(merchantId: string): Promise<string[]> {
    this.#end.resolve();
    await this.#ended;
    return this.#events.flatMap((one) => (one.merchantId === merchantId ? [one.eventId] : []));
  }

  async rollBack(): Promise<void> {
    this.#end.reject(undone);
    await assert.rejects(this.#ended, undone);
  }
}

/** A program that follows the feed, in a process of its own. */
class Follower {
  readonly read: string[] = [];
  readonly #horizon = new FeedHorizon(platform.db);
  readonly #merchantId: string;
  #after = 'start';

  constructor(merchantId: string) {
    this.#merchantId = merchantId;
  }

  /** Reads a page; returns whether there is more. */
  async step(limit: number): Promise<boolean> {
    const asked = { after: this.#after, limit };
    const { rows, next, hasMore } = await readFeed(
      platform,
      this.#horizon,
      this.#merchantId,
      asked,
    );
    this.read.push(...rows.map((row) => row.eventId));
    this.#after = next;
    return hasMore;
  }

  /** Reads on until it has as many events, and whatever more is there: other tests' transactions may hold up the feed. */
  async readUntil(count: number): Promise<string[]> {
    for (const since = performance.now(); performance.now() - since < 120_000; ) {
      const hasMore = await this.step(7);
      if (!hasMore && this.read.length >= count) break;
    }
    return this.read;
  }
}

const STEP = fc.oneof(
  fc.record({ does: fc.constant('append' as const), by: fc.nat(3), to: fc.nat(1) }),
  fc.record({ does: fc.constantFrom('commit' as const, 'roll back' as const), by: fc.nat(3) }),
  fc.record({
    does: fc.constant('read' as const),
    by: fc.nat(1),
    limit: fc.integer({ min: 1, max: 3 }),
  }),
);

test('whatever order commits and reads come in, a reader has each event once, in one order for all', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { maxLength: 24 }), async (steps) => {
      const [merchant, other] = [await bareMerchant(platform), await bareMerchant(platform)];
      const followers = [new Follower(merchant), new Follower(merchant)];
      const open = new Map<number, OpenTransaction>();
      const committed: string[] = [];
      const end = async (by: number): Promise<void> => {
        committed.push(...((await open.get(by)?.commit(merchant)) ?? []));
        open.delete(by);
      };
      for (const step of steps) {
        if (step.does === 'read') await followers[step.by]?.step(step.limit);
        else if (step.does === 'append') {
          const writer = open.get(step.by) ?? new OpenTransaction();
          open.set(step.by, writer);
          // Events of another merchant take positions, too.
          await writer.append(step.to === 0 ? merchant : other);
        } else if (step.does === 'commit') await end(step.by);
        else {
          await open.get(step.by)?.rollBack();
          open.delete(step.by);
        }
      }
      for (const by of [...open.keys()].reverse()) await end(by);
      const { length } = committed;
      const readAll = followers.map((one) => one.readUntil(length));
      const [first = [], second] = await Promise.all(readAll);
      assert.deepEqual(first.toSorted(), committed.toSorted(), 'each event once');
      assert.deepEqual(second, first, 'in the order of the other reader');
      assert.deepEqual(
        await new Follower(merchant).readUntil(length),
        first,
        'and of one who comes later',
      );
    }),
    { numRuns: 25 },
  );
});
