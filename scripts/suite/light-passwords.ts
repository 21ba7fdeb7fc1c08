import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/** What the library asks for is 16,384: some 70 ms of a processor for each password, and tests type thousands. */
const COST_IN_TESTS = 256;

/** Makes `scrypt` of this process cheap, to hash and to compare. Real processes that tests start keep its price. */
export function makePasswordsCheap(): void {
  const { scrypt } = crypto;
  crypto.scrypt = ((password, salt, length, options, done) =>
    scrypt(password, salt, length, { ...options, N: COST_IN_TESTS }, done)) as typeof scrypt;
  syncBuiltinESMExports();
}
