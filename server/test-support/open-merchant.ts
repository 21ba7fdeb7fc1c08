import { change } from '../src/app/cli/session/offline.ts';
import { startMerchant } from '../src/operators/merchants/service.ts';
import type { Config } from '../src/platform/config/config.ts';
import { FERNHILL } from './merchant.ts';

/** Creates the merchant of tests on a database, where no service runs yet; returns its first API key. */
export async function openMerchant(config: Config, now?: Temporal.Instant): Promise<string> {
  const first = { owner: null, by: 'operator:test', reason: 'a test' };
  const { secret } = await change(config, (work) =>
    startMerchant({ ...work, now: now ?? work.now }, FERNHILL, first),
  );
  return secret;
}
