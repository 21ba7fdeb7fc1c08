import type { Config } from '../../../platform/config/config.ts';
import { cookiePath } from '../settings.ts';
import type { SignInEntry } from './attempts.ts';

/** Returns the way in of a team: each has its own, so that no provider can pass on what is meant for another. */
export function teamSignInEntry(config: Config, merchantId: string): SignInEntry {
  const path = `/auth/sso/${merchantId}`;
  return {
    redirectUri: `${config.baseUrl}/dashboard${path}/return`,
    path: `${cookiePath(config)}${path}`,
  };
}
