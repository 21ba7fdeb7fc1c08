import type { Engine } from '../../platform/engine/engine.ts';
import type { Platform } from '../../platform/platform.ts';
import type { SandboxClock } from '../clock.ts';
import type { SandboxPartners } from '../partners.ts';

/** The dependencies of the sandbox's routes. */
export interface SandboxDeps {
  platform: Platform;
  engine: Pick<Engine, 'start' | 'stop' | 'drain'>;
  clock: SandboxClock;
  partners: Pick<SandboxPartners, 'bankUrl' | 'control'>;
  /** Returns the webhook endpoints that have not answered yet. */
  waitingFor: () => readonly string[];
  /** Checks the books against the laws of money after time has passed, in the background. Absent: another process does it. */
  look?: () => Promise<void>;
}
