import type { Engine } from '../platform/engine.ts';
import type { Platform } from '../platform/platform.ts';
import type { SandboxClock } from './clock.ts';
import type { SandboxPartners } from './partners.ts';

/** What the sandbox's routes stand on. */
export interface SandboxDeps {
  platform: Platform;
  engine: Engine;
  clock: SandboxClock;
  partners: Pick<SandboxPartners, 'bankUrl' | 'control'>;
  /** Holds the books against the laws of money, after time has passed. Nobody waits for it. Absent: it is done elsewhere. */
  look?: () => Promise<void>;
}
