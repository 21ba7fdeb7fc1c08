import { userInfo } from 'node:os';
import type { Config } from '../../platform/config.ts';
import type { Env } from '../../platform/config-readers.ts';

const named = new WeakMap<Config, string>();

/** Sets the operator of a configuration: `given`, else the user who called `sudo`, else the login. */
export function noteOperator(config: Config, env: Env, given: string | undefined): Config {
  named.set(config, given?.trim() || env.SUDO_USER?.trim() || login());
  return config;
}

/** Returns the name under which the audit trail records a command's changes. */
export function operatorOf(config: Config): string {
  return named.get(config) ?? login();
}

/** Returns the login name. Some machines run processes under a user id without a name. */
function login(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
