import type { Platform } from '../../platform/platform.ts';
import { insertWordsOf, readSchedulesAfter } from './word-store.ts';
import { wordsOfSchedule } from './words.ts';

const PAGE = 500;

/** Adds the words that schedules lack in their index, as `reindexCustomers` does. Returns how many schedules were read. */
export async function reindexSchedules({ db }: Pick<Platform, 'db'>): Promise<number> {
  let read = 0;
  for (let after = { merchantId: '', scheduleId: '' }; ; ) {
    const found = await db.transaction(async (tx) => {
      const page = await readSchedulesAfter(tx, after, PAGE);
      for (const [merchantId, own] of Map.groupBy(page, (one) => one.merchantId))
        await insertWordsOf(
          tx,
          merchantId,
          own.flatMap((one) =>
            wordsOfSchedule(one).map((word) => ({ scheduleId: one.scheduleId, word })),
          ),
        );
      return page;
    });
    const last = found.at(-1);
    if (last === undefined) return read;
    read += found.length;
    after = last;
  }
}
