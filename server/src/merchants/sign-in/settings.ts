import type { Config } from '../../platform/config/config.ts';

/** All sign-in routes are below it. */
export const SIGN_IN_PATH = '/dashboard/auth';
/** The header from which the library reads a request's address; only we write it (`bridge.ts`). */
export const ADDRESS_HEADER = 'x-recollect-address';
export const SHORTEST_PASSWORD = 10;
export const LONGEST_PASSWORD = 128;

/** How often a person may try to sign in. */
export interface SignInLimits {
  /** From one address, per minute. */
  triesPerAddress: number;
  /** For one account from one address, per 15 minutes. */
  triesPerAccount: number;
  /** For one account from all addresses together, per hour; browsers that have signed in before are not counted. */
  triesEverywhere: number;
  /** By one browser that has signed in before, or within one session, per 15 minutes. */
  triesPerDevice: number;
  /** For one account by all browsers together that have signed in to it before, per 15 minutes. */
  triesOfDevices: number;
}

/** 100 tries an hour are 900,000 a year: negligible against passwords of ten characters. */
export const SIGN_IN_LIMITS: SignInLimits = {
  triesPerAddress: 10,
  triesPerAccount: 10,
  triesEverywhere: 100,
  triesPerDevice: 10,
  triesOfDevices: 20,
};

/** Returns the path of the dashboard's cookies. */
export function cookiePath({ baseUrl }: Config): string {
  return `${new URL(baseUrl).pathname.replace(/\/+$/, '')}/dashboard`;
}

/** Returns what is wrong with a new password, or null. */
export function wrongPassword(password: string): string | null {
  if (password.length < SHORTEST_PASSWORD)
    return `must have at least ${SHORTEST_PASSWORD} characters`;
  return password.length > LONGEST_PASSWORD
    ? `must have at most ${LONGEST_PASSWORD} characters`
    : null;
}
