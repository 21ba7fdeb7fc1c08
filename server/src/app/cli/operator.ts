import { userInfo } from 'node:os';
import type { Config } from '../../platform/config.ts';

type Env = Readonly<Record<string, string | undefined>>;

const named = new WeakMap<Config, string>();

/** Notes who gives the command for which this configuration was read: `given`, else who called `sudo`, else the login. */
export function noteOperator(config: Config, env: Env, given: string | undefined): Config {
  named.set(config, given?.trim() || env.SUDO_USER?.trim() || login());
  return config;
}

/** The name under which the audit trail has what a command changes. */
export function operatorOf(config: Config): string {
  return named.get(config) ?? login();
}

/** Some machines run processes under a number that has no name. */
function login(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown';
  }
}
