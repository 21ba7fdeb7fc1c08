import type { Config } from '../../platform/config.ts';

/** Everything about signing in stands below it. */
export const SIGN_IN_PATH = '/dashboard/auth';
/** Where the library reads a request's address; only we write it (`bridge.ts`). */
export const ADDRESS_HEADER = 'x-recollect-address';
export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 128;

/** How often somebody may try to get in. */
export interface SignInLimits {
  /** From one address, a minute. */
  triesPerAddress: number;
  /** For one account, in a quarter of an hour. */
  triesPerAccount: number;
}

export const SIGN_IN_LIMITS: SignInLimits = { triesPerAddress: 10, triesPerAccount: 10 };

/** The path that cookies of the dashboard are for. */
export function cookiePath({ baseUrl }: Config): string {
  return `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/dashboard`;
}

/** What is wrong with a new password, or null. */
export function wrongPassword(password: string): string | null {
  if (password.length < SHORTEST_PASSWORD)
    return `must have at least ${SHORTEST_PASSWORD} characters`;
  return password.length > LONGEST_PASSWORD
    ? `must have at most ${LONGEST_PASSWORD} characters`
    : null;
}
