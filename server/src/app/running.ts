import type { FastifyInstance } from 'fastify';
import type { Config } from '../platform/config.ts';
import type { Platform } from '../platform/platform.ts';
import type { SandboxClock } from '../sandbox/clock.ts';
import type { SandboxPartners } from '../sandbox/partners.ts';
import type { Service } from './service.ts';

/** A service that runs. */
export interface Running {
  config: Config;
  platform: Platform;
  service: Service;
  http: FastifyInstance;
  /** Null: live. */
  sandbox: { partners: SandboxPartners; clock: SandboxClock } | null;
  /** Finishes what is under way, then stops everything that was started, the database last. */
  close(): Promise<void>;
}
