import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/platform.ts';
import type { Devices } from './devices.ts';
import type { Forgotten } from './forgotten.ts';
import type { Library } from './library.ts';
import type { Limiter } from './limits.ts';

/** The user who is signed in. */
export interface SignedIn {
  userId: string;
  name: string;
  email: string;
  sessionId: string;
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
  who(headers: IncomingHttpHeaders): Promise<SignedIn | null>;
}
