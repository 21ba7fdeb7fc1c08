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
  /** For one account from one address, in a quarter of an hour. */
  triesPerAccount: number;
  /** For one account from all addresses together, an hour; browsers that have signed in before are not among them. */
  triesEverywhere: number;
  /** By one browser that has signed in before, or within one session, in a quarter of an hour. */
  triesPerDevice: number;
}

/** 100 tries an hour are 900,000 in a year: nothing against passwords of ten characters. */
export const SIGN_IN_LIMITS: SignInLimits = {
  triesPerAddress: 10,
  triesPerAccount: 10,
  triesEverywhere: 100,
  triesPerDevice: 10,
};

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
