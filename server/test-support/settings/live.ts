import assert from 'node:assert/strict';
import { ConfigError, readConfig } from '../../src/platform/config/config.ts';
import { FIRM_ENV } from '../firm.ts';
import { ISSUER } from './issuer.ts';

const keyOf = (first: number): string =>
  Buffer.from(Array.from({ length: 32 }, (_, n) => (first + n * 7) % 256)).toString('base64');
/** Keys that are as good as random. */
export const KEY = keyOf(1);
export const OTHER = keyOf(2);
export const THIRD = keyOf(3);
/** The settings that a live service needs. */
export const LIVE = {
  ...ISSUER,
  ...FIRM_ENV,
  MODE: 'live',
  BASE_URL: 'https://collect.fernpayments.co.uk',
  TRUST_PROXY: '10.0.0.0/8',
  DATABASE_URL: 'postgres://recollect@db.example/recollect?sslmode=verify-full',
  ENCRYPTION_KEYS: `k1:${KEY}`,
  BLIND_INDEX_KEY: OTHER,
  BANKS_FILE: '/etc/recollect/banks.json',
};

/** Returns the problems of these settings, one line each. */
export function problemsOf(env: Record<string, string>): string[] {
  try {
    readConfig(env);
    return [];
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message.split('\n');
  }
}
