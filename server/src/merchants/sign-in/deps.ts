import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/platform.ts';
import type { Devices } from './devices.ts';
import type { Forgotten } from './forgotten.ts';
import type { Library } from './library/library.ts';
import type { Limiter } from './limits.ts';
import type { Providers } from './sso/providers.ts';

/** The user who is signed in. */
export interface SignedIn {
  userId: string;
  name: string;
  email: string;
  sessionId: string;
  /** The team by whose identity provider the session was opened, and for which alone it acts; null: by what is the user's own. */
  ssoMerchantId: string | null;
  /** `Set-Cookie` lines for the response, present now and then: they extend the browser's cookie along with the session. */
  cookies: readonly string[];
}

/** The dependencies of the routes below `/dashboard/auth`. */
export interface SignInDeps {
  platform: Platform;
  /** Loads the library on first use. */
  library(): Promise<Library>;
  limiter: Limiter;
  devices: Devices;
  forgotten: Forgotten;
  /** Loads the library that speaks to identity providers, on first use. */
  providers(): Promise<Providers>;
  who(headers: IncomingHttpHeaders): Promise<SignedIn | null>;
}
