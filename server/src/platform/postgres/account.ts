import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { PostgresStartError } from './folder.ts';

/**
 * The account that runs PostgreSQL. The server refuses root, and `initdb` refuses a user without a name, so: `self` is this
 * process's own user; `namespace` is the same user, seen as `uid` inside a user namespace; `user` is another user of the
 * machine, which only root can choose.
 */
export type Account =
  | { readonly kind: 'self' }
  | { readonly kind: 'namespace'; readonly uid: number }
  | { readonly kind: 'user'; readonly uid: number; readonly gid: number };

type Ids = { readonly uid: number; readonly gid: number };

/** What the choice of an account depends on. */
export type Situation = {
  /** Our own user; undefined if the system has no such numbers (Windows). */
  readonly uid: number | undefined;
  /** Whether our own user has a name in the system's list of users. */
  readonly named: boolean;
  /** Owner of the cluster's folder; undefined while there is none. */
  readonly owner: Ids | undefined;
  /** A user without privileges (`postgres`, `nobody`); undefined if there is none. */
  readonly unprivileged: Ids | undefined;
};

/** Returns the accounts that could run the server, best first. Throws if the data belongs to another user. */
export function candidateAccounts({ uid, named, owner, unprivileged }: Situation): Account[] {
  const namespace: Account[] = unprivileged ? [{ kind: 'namespace', uid: unprivileged.uid }] : [];
  if (uid === 0) {
    const user = owner && owner.uid !== 0 ? owner : unprivileged;
    return [
      ...(user === owner ? [] : namespace),
      ...(user ? [{ kind: 'user', ...user } as const] : []),
    ];
  }
  if (uid !== undefined && owner && owner.uid !== uid)
    throw new PostgresStartError(
      `the database files belong to another user (number ${owner.uid}, we are ${uid}): start as that user, or choose another data folder`,
    );
  return [...(uid === undefined || named ? [] : namespace), { kind: 'self' }];
}

/** Returns the situation of this process for the cluster in `cluster`. */
export function currentSituation(cluster: string): Situation {
  const stat = statSync(cluster, { throwIfNoEntry: false });
  const users = existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '';
  return {
    uid: process.getuid?.(),
    named: hasName(),
    owner: stat && { uid: stat.uid, gid: stat.gid },
    unprivileged: unprivilegedUser(users),
  };
}

function hasName(): boolean {
  try {
    return userInfo().username !== '';
  } catch {
    return false;
  }
}

/** Chooses `postgres`, otherwise `nobody`, otherwise any user but root, from the text of /etc/passwd. */
export function unprivilegedUser(passwd: string): Ids | undefined {
  const users = passwd
    .split('\n')
    .map((line) => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid ?? 0), gid: Number(gid ?? 0) }))
    .filter((user) => Number.isSafeInteger(user.uid) && user.uid > 0);
  const named = (name: string) => users.find((user) => user.name === name);
  const chosen = named('postgres') ?? named('nobody') ?? users[0];
  return chosen && { uid: chosen.uid, gid: chosen.gid };
}

/** A command in the form of `node:child_process`. */
export type Command = {
  readonly file: string;
  readonly args: string[];
  readonly options: { uid?: number; gid?: number; env: NodeJS.ProcessEnv; windowsHide: true };
};

/**
 * Returns `file args…` as run by the account. `unshare` replaces itself with the program, so the child's pid is the program's
 * own.
 */
export function commandAs(account: Account, file: string, args: readonly string[]): Command {
  const ids = account.kind === 'user' ? { uid: account.uid, gid: account.gid } : {};
  const options = { ...ids, env: ownEnvironment(), windowsHide: true } as const;
  if (account.kind !== 'namespace') return { file, args: [...args], options };
  const namespace = ['--user', `--map-user=${account.uid}`, '--', file];
  return { file: 'unshare', args: [...namespace, ...args], options };
}

/** Whether the command succeeds when the account runs it here. Takes a few milliseconds. */
export function runsAs(account: Account, file: string, args: readonly string[]): boolean {
  const command = commandAs(account, file, args);
  const options = { ...command.options, cwd: '/', stdio: 'ignore', timeout: 10_000 } as const;
  return spawnSync(command.file, command.args, options).status === 0;
}

/** Returns our environment without the variables that would change where PostgreSQL looks and what language it uses. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(PG|LC_|LANG|LD_LIBRARY_PATH$)/;
  // biome-ignore lint/style/noProcessEnv: no setting is read; the child gets what we have, less these
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
