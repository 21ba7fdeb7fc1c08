import type { Db } from '../platform/db.ts';
import { recordResults, type SendingResult } from './result-store.ts';

/** Settles when the result stands in the database. */
export type Recorder = (result: SendingResult) => Promise<void>;

interface Waiting {
  result: SendingResult;
  done: () => void;
  failed: (error: unknown) => void;
}

const MOST_AT_ONCE = 500;

/**
 * Records results, together where they finish together: while one statement is on its way, the next results gather for
 * the following one.
 */
export function makeRecorder(db: Db): Recorder {
  let waiting: Waiting[] = [];
  let recording = false;

  /** The next results, at most one of each delivery: a statement changes a row once. */
  const take = (): Waiting[] => {
    const batch = new Map<string, Waiting>();
    const later: Waiting[] = [];
    for (const item of waiting) {
      const { deliveryId } = item.result;
      if (batch.has(deliveryId) || batch.size === MOST_AT_ONCE) later.push(item);
      else batch.set(deliveryId, item);
    }
    waiting = later;
    return [...batch.values()];
  };

  const record = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = take();
      try {
        const results = batch.map(({ result }) => result);
        await db.transaction((tx) => recordResults(tx, results));
        for (const { done } of batch) done();
      } catch (error) {
        for (const { failed } of batch) failed(error);
      }
    }
    recording = false;
  };

  return (result) =>
    new Promise((done, failed) => {
      waiting.push({ result, done, failed });
      if (recording) return;
      recording = true;
      void record();
    });
}
