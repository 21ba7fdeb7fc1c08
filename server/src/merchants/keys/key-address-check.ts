import type { Caller } from '../../platform/http/calls/route.ts';
import type { Platform } from '../../platform/platform.ts';
import { realNow } from '../../platform/time/clock.ts';
import { isWithin } from './address-range.ts';
import { noteRefusal } from './key-store.ts';
import type { ApiKey } from './keys.ts';

const EVERY_MS = 60_000;
const MAX_REMEMBERED = 10_000;

/**
 * Returns a function that marks a caller as refused if the key may not be used from the address. It records a refusal with the
 * key, at most once a minute for each key in this process; the writes are added to `notes`.
 */
export function makeAddressCheck(
  { db, clock, log }: Platform,
  notes: Set<Promise<void>>,
): (caller: Caller, key: ApiKey, address: string) => Caller {
  const notedMs = new Map<string, number>();
  const record = (merchantId: string, keyId: string, address: string): void => {
    const nowMs = realNow().epochMilliseconds;
    if (nowMs - (notedMs.get(keyId) ?? 0) < EVERY_MS) return;
    if (notedMs.size >= MAX_REMEMBERED) notedMs.clear();
    notedMs.set(keyId, nowMs);
    log.report('api_key.address_refused', { merchant_id: merchantId, key_id: keyId, address });
    const refused = { at: clock.now(), address };
    const note = db
      .forMerchant(merchantId, (tx) => noteRefusal(tx, merchantId, keyId, refused))
      .catch((error: unknown) => log.report('api_key.use_not_stored', { err: error }))
      .finally(() => notes.delete(note));
    notes.add(note);
  };
  return (caller, key, address) => {
    if (key.allowedIps === null || isWithin(address, key.allowedIps)) return caller;
    record(caller.merchantId, key.keyId, address);
    return { ...caller, refusedFrom: address };
  };
}
