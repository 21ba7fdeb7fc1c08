import { spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { PostgresStartError } from './error.ts';

/**
 * Who runs PostgreSQL. The server refuses root, and `initdb` refuses a user without a name, so:
 * `self` is this process's own user; `namespace` is the same user seen, inside a user namespace, as
 * `uid`; `user` is another user of the machine, which only root can choose.
 */
export type Account =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace'; readonly uid: number }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

type Ids = { readonly uid: number; readonly gid: number };

/** What the choice of an account depends on. */
export type Situation = {
  /** Our own user; undefined where the system has no such numbers (Windows). */
  readonly uid: number | undefined;
  /** Whether our own user has a name in the system's list of users. */
  readonly named: boolean;
  /** Who owns the cluster's folder; undefined while there is none. */
  readonly owner: Ids | undefined;
  /** A user without privileges (`postgres`, `nobody`); undefined where there is none. */
  readonly unprivileged: Ids | undefined;
};

/** The accounts that could run the server, the best first. Throws when the data are another user's. */
export function candidateAccounts(situation: Situation): Account[] {
  const { uid, named, owner, unprivileged } = situation;
  if (uid === undefined) return [{ kind: 'self' }];
  if (uid === 0) return accountsOfRoot(owner, unprivileged);
  if (owner && owner.uid !== uid)
    throw new PostgresStartError(
      `the database files belong to another user (number ${owner.uid}, we are ${uid}): start as that user, or choose another data folder`,
    );
  if (named || !unprivileged) return [{ kind: 'self' }];
  return [{ kind: 'namespace', uid: unprivileged.uid }, { kind: 'self' }];
}

function accountsOfRoot(owner: Ids | undefined, unprivileged: Ids | undefined): Account[] {
  if (owner && owner.uid !== 0) return [{ kind: 'user', ...owner }];
  if (!unprivileged) return [];
  return [
    { kind: 'namespace', uid: unprivileged.uid },
    { kind: 'user', ...unprivileged },
  ];
}

/** The situation of this process for the cluster in `cluster`. */
export function currentSituation(cluster: string): Situation {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  return {
    uid: process.getuid?.(),
    named: hasName(),
    owner: stat && { uid: stat.uid, gid: stat.gid },
    unprivileged: unprivilegedUser(readUsers()),
  };
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

function readUsers(): string {
  try {
    return readFileSync('/etc/passwd', 'utf8');
  } catch {
    return '';
  }
}

/** `postgres`, else `nobody`, else any user but root, out of the text of /etc/passwd. */
export function unprivilegedUser(passwd: string): Ids | undefined {
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid ?? 0), gid: Number(gid ?? 0) }))
    .filter((user) => Number.isSafeInteger(user.uid) && user.uid > 0);
  const chosen =
    users.find((user) => user.name === 'postgres') ??
    users.find((user) => user.name === 'nobody') ??
    users[0];
  return chosen && { uid: chosen.uid, gid: chosen.gid };
}

/** A command as `node:child_process` wants it. */
export type Command = {
  readonly file: string;
  readonly args: string[];
  readonly options: { uid?: number; gid?: number; env: NodeJS.ProcessEnv; windowsHide: true };
};

/**
 * `file args…` as run by the account. `unshare` replaces itself by the program, so the process number
 * of the child is the program's own.
 */
export function commandAs(account: Account, file: string, args: readonly string[]): Command {
  const options = { env: ownEnvironment(), windowsHide: true } as const;
  if (account.kind === 'self') return { file, args: [...args], options };
  if (account.kind === 'user')
    return { file, args: [...args], options: { ...options, uid: account.uid, gid: account.gid } };
  const namespace = ['--user', `--map-user=${account.uid}`, '--', file];
  return { file: 'unshare', args: [...namespace, ...args], options };
}

/** Whether the account can run that command here, and it ends well. Takes some milliseconds. */
export function runsAs(account: Account, file: string, args: readonly string[]): boolean {
  const command = commandAs(account, file, args);
  const result = spawnSync(command.file, command.args, {
    ...command.options,
    cwd: '/',
    stdio: 'ignore',
    timeout: 10_000,
  });
  return result.status === 0;
}

/** Variables of the caller's environment would change where PostgreSQL looks and how it speaks. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(PG|LC_|LANG|LD_LIBRARY_PATH$)/;
  // biome-ignore lint/style/noProcessEnv: no setting is read; the child gets what we have, less these
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
