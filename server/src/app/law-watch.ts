import { checkLaws } from '../laws/laws.ts';
import type { Platform } from '../platform/platform.ts';

const EVERY_MS = 3_600_000;

/**
 * Holds the books against the laws of money every hour, for as long as the service runs, and logs what breaks one.
 * Answers a function that ends the watch.
 */
export function watchLaws(platform: Platform): () => Promise<void> {
  let looking: Promise<void> | null = null;
  const look = async (): Promise<void> => {
    try {
      for (const { law, broken } of await checkLaws(platform))
        if (broken.length > 0) platform.log.error({ law, broken }, 'a law of money is broken');
    } catch (error) {
      platform.log.error({ err: error }, 'the laws of money could not be checked');
    }
  };
  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = null;
    });
  }, EVERY_MS);
  return async () => {
    clearInterval(timer);
    await looking;
  };
}
