import type { ModulrCall, ModulrClient } from '../../wallets/modulr/client.ts';
import { ModulrRefused, ModulrUnavailable } from '../../wallets/modulr/errors.ts';
import { BankUnavailable } from '../bank.ts';
import type { Answer } from '../consents-by-reading.ts';

/** Calls Modulr. Throws `BankUnavailable` for everything that proves nothing. */
export type CallModulr = <T>(
  call: ModulrCall,
  read: (json: unknown) => T,
) => Promise<Answer<T, ModulrRefused>>;

/** Returns a function that calls Modulr by `client` and speaks the port's words. */
export function modulrCaller(client: ModulrClient): CallModulr {
  return async (call, read) => {
    try {
      return { kind: 'ok', value: await client.call(call, read) };
    } catch (error) {
      if (error instanceof ModulrUnavailable) {
        const { message, notSent, retryAfterSeconds } = error;
        throw new BankUnavailable(message, { cause: error, notSent, retryAfterSeconds });
      }
      if (!(error instanceof ModulrRefused)) throw error;
      // Somebody has used this key, or made this very thing: there may be one that we do not know of.
      if (error.has('DUPLICATE')) throw new BankUnavailable(error.message, { cause: error });
      return { kind: 'refused', refusal: error };
    }
  };
}
