import type { IncomingHttpHeaders } from 'node:http';
import type { Platform } from '../../platform/platform.ts';
import type { Devices } from './devices.ts';
import type { Library } from './library.ts';
import type { Limiter } from './limits.ts';

/** Who is signed in. */
export interface SignedIn {
  userId: string;
  name: string;
  email: string;
  sessionId: string;
  /** `Set-Cookie` lines for the answer, now and then: they move the end of the browser's cookie with the session's. */
  cookies: readonly string[];
}

/** What the routes below `/dashboard/auth` work with. */
export interface SignInDeps {
  platform: Platform;
  /** Loads it where that has not happened. */
  library(): Promise<Library>;
  limiter: Limiter;
  devices: Devices;
  who(headers: IncomingHttpHeaders): Promise<SignedIn | null>;
}
