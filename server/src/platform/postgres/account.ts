import { PostgresStartError } from './folder.ts';

type Ids = { readonly uid: number; readonly gid: number };

/**
 * The account that runs PostgreSQL. The server refuses root, and `initdb` refuses a user without a name, so: `self` is this
 * process's own user; `namespace` is the same user, seen as another inside a user namespace; `user` is another user of the
 * machine, which only root can choose.
 */
export type Account = { readonly kind: 'self' } | ({ readonly kind: 'namespace' | 'user' } & Ids);

/**
 * Returns the accounts that might run the server, best first. `uid`: our own user, undefined on Windows; `owner`: of the
 * cluster, if there is one; `unprivileged`: a user without privileges. Throws if the data belongs to another user.
 */
export function candidateAccounts(
  uid: number | undefined,
  owner: Ids | undefined,
  unprivileged: Ids | undefined,
): Account[] {
  if (owner && uid !== undefined && owner.uid !== uid) {
    if (uid === 0) return [{ kind: 'user', uid: owner.uid, gid: owner.gid }];
    throw new PostgresStartError(
      `the database files belong to another user (number ${owner.uid}, we are ${uid}): start as that user, or choose another data folder`,
    );
  }
  const self = { kind: 'self' } as const;
  if (!unprivileged) return [self];
  return [self, { kind: 'namespace', ...unprivileged }, { kind: 'user', ...unprivileged }];
}

/** Chooses `postgres`, otherwise `nobody`, otherwise any user but root, from the text of /etc/passwd. */
export function unprivilegedUser(passwd: string): Ids | undefined {
  for (const name of ['postgres', 'nobody', '[^:]+']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:([1-9]\\d*):(\\d+):`, 'm').exec(passwd) ?? [];
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) };
  }
  return undefined;
}

/** Returns `file args…` as run by the account, in the form of `node:child_process`. */
export function commandAs(account: Account, file: string, args: readonly string[]) {
  const ids = account.kind === 'user' ? { uid: account.uid, gid: account.gid } : {};
  const options = { ...ids, env: ownEnvironment(), windowsHide: true };
  if (account.kind !== 'namespace') return { file, args, options };
  const namespace = ['--user', `--map-user=${account.uid}`, '--', file];
  return { file: 'unshare', args: [...namespace, ...args], options };
}

/** Returns our environment without the variables that would change where PostgreSQL looks and what language it uses. */
function ownEnvironment(): NodeJS.ProcessEnv {
  const foreign = /^(PG|LC_|LANG|LD_LIBRARY_PATH$)/;
  // biome-ignore lint/style/noProcessEnv: no setting is read; the child gets what we have, less these
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !foreign.test(name)));
}
