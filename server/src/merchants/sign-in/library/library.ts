import { type BetterAuthOptions, betterAuth } from 'better-auth';
import { type TwoFactorOptions, twoFactor } from 'better-auth/plugins/two-factor';
import type { Config } from '../../../platform/config/config.ts';
import type { Log } from '../../../platform/log/log.ts';
import type { Platform } from '../../../platform/platform.ts';
import { realNow } from '../../../platform/time/clock.ts';
import type { IdPrefix } from '../../../platform/values/ids.ts';
import {
  ADDRESS_HEADER,
  cookiePath,
  LONGEST_PASSWORD,
  SHORTEST_PASSWORD,
  SIGN_IN_PATH,
} from '../settings.ts';
import { LIBRARY_SECRETS, signedAgain } from './cookies-of-old-keys.ts';
import { recollectPlugin } from './library-plugin.ts';

const DAY_S = 86_400;
const HOUR_S = 3600;
const LOCK_S = 900;
const PREFIXES: Readonly<Record<string, IdPrefix>> = {
  user: 'usr',
  session: 'ses',
  account: 'crd',
  verification: 'vrf',
  twoFactor: 'tfa',
};

/** Our names for the library's tables and columns. */
const TABLES = {
  user: {
    modelName: 'users',
    fields: { emailVerified: 'email_verified', createdAt: 'created_at', updatedAt: 'updated_at' },
  },
  account: {
    modelName: 'credentials',
    fields: {
      userId: 'user_id',
      accountId: 'account_id',
      providerId: 'provider_id',
      accessToken: 'access_token',
      refreshToken: 'refresh_token',
      idToken: 'id_token',
      accessTokenExpiresAt: 'access_token_expires_at',
      refreshTokenExpiresAt: 'refresh_token_expires_at',
      createdAt: 'created_at',
      updatedAt: 'updated_at',
    },
  },
  verification: {
    modelName: 'verifications',
    fields: { expiresAt: 'expires_at', createdAt: 'created_at', updatedAt: 'updated_at' },
    storeIdentifier: 'hashed',
  },
} as const satisfies BetterAuthOptions;

const SESSION = {
  modelName: 'sessions',
  fields: {
    userId: 'user_id',
    expiresAt: 'expires_at',
    ipAddress: 'ip_address',
    userAgent: 'user_agent',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
  },
  expiresIn: 7 * DAY_S,
  updateAge: HOUR_S, // how often a session in use is extended
  additionalFields: {
    ssoMerchantId: {
      type: 'string',
      required: false,
      input: false,
      fieldName: 'sso_merchant_id',
    },
  },
  freshAge: 0, // sensitive actions ask for the password instead
} as const satisfies BetterAuthOptions['session'];

const SECOND_FACTOR = {
  accountLockout: { enabled: true, maxFailedAttempts: 10, durationSeconds: LOCK_S },
  schema: {
    user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
    twoFactor: {
      modelName: 'two_factors',
      fields: {
        backupCodes: 'backup_codes',
        userId: 'user_id',
        failedVerificationCount: 'failed_verification_count',
        lockedUntil: 'locked_until',
      },
    },
  },
} as const satisfies TwoFactorOptions;

/** Sets up the library over our database. It takes half a second to load: import this file on demand. */
export function makeLibrary(platform: Platform) {
  const { config, ids, db, vault } = platform;
  const library = betterAuth({
    ...TABLES,
    appName: config.brand.name,
    baseURL: `${config.baseUrl}${SIGN_IN_PATH}`,
    basePath: SIGN_IN_PATH,
    // The first signs cookies; all of them open second factors.
    secrets: [...vault.secrets(LIBRARY_SECRETS)],
    trustedOrigins: trustedOrigins(config),
    database: db.libraryPool(),
    session: SESSION,
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: SHORTEST_PASSWORD,
      maxPasswordLength: LONGEST_PASSWORD,
    },
    plugins: [
      twoFactor({ ...SECOND_FACTOR, issuer: config.brand.name }),
      recollectPlugin(platform),
    ],
    rateLimit: { enabled: false }, // ours counts across processes
    telemetry: { enabled: false },
    logger: {
      level: 'warn',
      log: (level, message, ...rest) => logLibraryError(platform.log, level, message, rest),
    },
    advanced: {
      cookiePrefix: 'recollect',
      useSecureCookies: config.baseUrl.startsWith('https:'),
      defaultCookieAttributes: { path: cookiePath(config), httpOnly: true, sameSite: 'lax' },
      disableCSRFCheck: false,
      disableOriginCheck: false,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER], ipv6Subnet: 128 },
      database: {
        generateId: ({ model }) => ids.next(PREFIXES[model] ?? 'vrf', realNow()),
      },
    },
  });
  return Object.assign(library, {
    /** Returns a `cookie` header as the library can read it. */
    readable: (cookies: string): string => signedAgain(vault, cookies),
  });
}

export type Library = ReturnType<typeof makeLibrary>;

/** The sandbox is reached as localhost and as 127.0.0.1. */
function trustedOrigins({ mode, port }: Config): string[] {
  return mode === 'live' ? [] : [`http://localhost:${port}`, `http://127.0.0.1:${port}`];
}

/** Reports the library's errors. Refusals are routine and shown to the user, so they are only logged at debug level. */
function logLibraryError(log: Log, level: string, message: string, rest: readonly unknown[]): void {
  const err = rest.find((part) => part instanceof Error);
  if (level === 'error') log.report('sign_in.library_reported', { err, said: message });
  else log.debug({ said: message }, 'the sign-in library');
}
