import { userInfo } from 'node:os';
import { type Acting, onHost } from '../../../operators/access/acting.ts';
import type { Config } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';

const logins = new WeakMap<Config, string>();

/** Sets who runs a command on the database: whoever called `sudo`, else the login of the process. */
export function withLogin(config: Config, env: Env): Config {
  logins.set(config, env.SUDO_USER?.trim() || loginOfProcess());
  return config;
}

/** Returns the login of whoever runs a command on the database. */
export const loginOf = (config: Config): string => logins.get(config) ?? loginOfProcess();

/**
 * Returns who acts on the database without a service, `host:<login>`. A login proves nothing of a person: it never counts as a
 * second one (docs/rules/access.md#the-command-line).
 */
export const actingOnHost = (config: Config): Acting => onHost(loginOf(config));

/** Returns the login name. Some machines run processes under a user id without a name. */
function loginOfProcess(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
