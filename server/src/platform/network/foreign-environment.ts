import { leaveProxies } from './guarded-agents.ts';

/**
 * Variables that libraries read on their own, and that a machine has for other programs: of PostgreSQL's clients, of proxies, and
 * the one that turns the check of certificates off.
 */
const FOREIGN = /^(PG[A-Z]+|(https?|all|no|ftp)_proxy|NODE_TLS_REJECT_UNAUTHORIZED)$/i;
/** Node has read it, and the proxies, when a program begins. */
const USE_PROXIES = 'NODE_USE_ENV_PROXY';

/**
 * Removes what would change how we connect without being one of our settings: docs/guides/operators.md#what-is-not-read. Call it
 * before anything connects.
 */
export function dropForeignEnvironment(env: Record<string, string | undefined>): void {
  if (env[USE_PROXIES] !== undefined) leaveProxies();
  delete env[USE_PROXIES];
  for (const name of Object.keys(env)) if (FOREIGN.test(name)) delete env[name];
}
