import type { Engine } from '../platform/engine.ts';
import type { Authenticate } from '../platform/http/auth.ts';
import type { Platform } from '../platform/platform.ts';
import type { SandboxClock } from './clock.ts';
import type { SandboxPartners } from './partners.ts';

/** What the sandbox's routes stand on. */
export interface SandboxDeps {
  platform: Platform;
  engine: Engine;
  clock: SandboxClock;
  partners: Pick<SandboxPartners, 'bankUrl' | 'control'>;
  authenticate: Authenticate;
}
