import { RecollectConnectionError, RecollectError } from '@recollect/sdk';
import { createAuthClient } from 'better-auth/client';
import { twoFactorClient } from 'better-auth/client/plugins';
import { BASE } from '../../app/base.ts';
import { dashboard } from '../client.ts';

const client = createAuthClient({
  baseURL: location.origin,
  basePath: `${BASE}/auth`,
  plugins: [twoFactorClient()],
});

/** Our words for the library's refusals. */
const WORDS: Readonly<Record<string, string>> = {
  INVALID_EMAIL_OR_PASSWORD: 'The email address or the password is wrong.',
  INVALID_EMAIL: 'Enter a valid email address.',
  INVALID_PASSWORD: 'Incorrect password.',
  CREDENTIAL_ACCOUNT_NOT_FOUND:
    'You have not set a password yet. An owner can create a link for you under Settings, Team.',
  INVALID_CODE: 'Incorrect code. Codes change every 30 seconds: enter the one shown now.',
  CODE_USED:
    'That code has already been used. Wait for the next one: codes change every 30 seconds.',
  INVALID_BACKUP_CODE: 'That backup code is incorrect or has already been used.',
  INVALID_TWO_FACTOR_COOKIE: 'That took too long. Start again with your password.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many incorrect codes. Try again in 15 minutes.',
  PASSWORD_TOO_SHORT: 'The new password must have at least 10 characters.',
  PASSWORD_TOO_LONG: 'The new password must have at most 128 characters.',
};

interface LibraryError {
  status: number;
  code?: string | undefined;
  message?: string | undefined;
  error?: { code?: string; message?: string };
}

/** Returns the library's response, or throws its refusal as ours. */
function answerOf<T>(result: { data: T | null; error: unknown }): T {
  if (result.error === null || result.error === undefined) return result.data as T;
  const failed = result.error as LibraryError;
  if (!failed.status)
    throw new RecollectConnectionError('The service is not responding.', {
      cause: result.error,
      idempotencyKey: null,
    });
  const code = failed.code ?? failed.error?.code ?? 'unexpected_response';
  const message = WORDS[code] ?? failed.message ?? failed.error?.message ?? 'Something went wrong.';
  throw new RecollectError({ code, message, status: failed.status });
}

/** Whether a second factor is required before there is a session. */
export interface Entered {
  needsCode: boolean;
}

/** Signs in with a password. Throws RecollectError with a message for people. */
export async function enterWithPassword(email: string, password: string): Promise<Entered> {
  const data = answerOf(await client.signIn.email({ email, password }));
  return { needsCode: 'twoFactorRedirect' in Object(data) };
}

/** Enters the second factor: an authenticator code, or a backup code. */
export async function enterWithCode(kind: 'totp' | 'backup', code: string): Promise<void> {
  const bare = code.trim();
  answerOf(
    kind === 'totp'
      ? await client.twoFactor.verifyTotp({ code: bare.replace(/\s/g, '') })
      : await client.twoFactor.verifyBackupCode({ code: bare }),
  );
}

export async function signOut(): Promise<void> {
  answerOf(await client.signOut());
}

/** Proves with password and code who is in front of this browser; it holds for five minutes. */
export function prove(proof: { password: string; code?: string }): Promise<unknown> {
  return dashboard.post('/auth/prove', proof);
}

/** What an invitation shows before it is accepted. */
export interface InvitationFacts {
  email: string;
  role: 'owner' | 'developer' | 'finance' | 'read_only';
  merchant_name: string;
  expires_at: string;
}

export function readInvitation(token: string): Promise<InvitationFacts> {
  return dashboard.get<InvitationFacts>('/auth/invitation', { token });
}

interface Arrived {
  email: string;
  two_factor?: boolean;
}

/** Joins the merchant's team and opens a session, after the second factor if one is set up. */
export async function acceptInvitation(body: {
  token: string;
  name?: string;
  password?: string;
}): Promise<Entered> {
  const { two_factor } = await dashboard.post<Arrived>('/auth/invitation', body);
  return { needsCode: two_factor === true };
}

/** Sets a new password with the token of a reset link. */
export async function setPassword(token: string, password: string): Promise<Entered> {
  const { two_factor } = await dashboard.post<Arrived>('/auth/password', { token, password });
  return { needsCode: two_factor === true };
}

/** Asks for a link by email; returns whether this service sends emails. */
export async function forgetPassword(email: string): Promise<boolean> {
  const { by_email } = await dashboard.post<{ by_email: boolean }>('/auth/forgotten-password', {
    email,
  });
  return by_email;
}

/** Changes the password and ends every other session of the member. */
export async function changePassword(currentPassword: string, newPassword: string): Promise<void> {
  answerOf(
    await client.changePassword({ currentPassword, newPassword, revokeOtherSessions: true }),
  );
}

/** Returns whether the member signs in with a second factor. */
export async function hasTwoFactor(): Promise<boolean> {
  const data = answerOf(await client.getSession());
  return data?.user.twoFactorEnabled === true;
}

/** The data for an authenticator app, and the backup codes. The second factor is on after the first correct code. */
export interface TwoFactorSetUp {
  uri: string;
  /** The secret in the URI, for typing. */
  secret: string;
  backupCodes: string[];
}

export async function startTwoFactor(password: string): Promise<TwoFactorSetUp> {
  const data = answerOf(await client.twoFactor.enable({ password }));
  const { totpURI: uri, backupCodes } = data as { totpURI: string; backupCodes: string[] };
  return { uri, secret: new URL(uri).searchParams.get('secret') ?? '', backupCodes };
}

export async function confirmTwoFactor(code: string): Promise<void> {
  await enterWithCode('totp', code);
}

/** The proof of identity required before the second factor is weakened. */
interface IdentityProof {
  password: string;
  code?: string;
}

export async function disableTwoFactor(proof: IdentityProof): Promise<void> {
  await dashboard.post('/auth/two-factor/disable', proof).catch(rewordRefusal);
}

/** Replaces the backup codes; returns the new ones. */
export async function renewBackupCodes(proof: IdentityProof): Promise<string[]> {
  const answer = await dashboard
    .post<{ backupCodes: string[] }>('/auth/two-factor/generate-backup-codes', proof)
    .catch(rewordRefusal);
  return answer.backupCodes;
}

/** Rewords the library's refusals, which come without our envelope: here only a wrong password does. */
function rewordRefusal(error: unknown): never {
  const isLibrarys = error instanceof RecollectError && error.code === 'unexpected_response';
  if (!isLibrarys || error.status !== 400) throw error;
  throw new RecollectError({
    code: 'invalid_request',
    message: 'Incorrect password.',
    status: error.status,
    details: { password: 'is not your password' },
  });
}

/** A browser in which the member is signed in. */
export interface OpenSession {
  token: string;
  userAgent: string | null;
  address: string | null;
  startedAt: string;
  usedAt: string;
  isThisOne: boolean;
}

/** Returns the member's sessions, the current one first. */
export async function listSessions(): Promise<OpenSession[]> {
  const [sessions, current] = await Promise.all([client.listSessions(), client.getSession()]);
  const own = answerOf(current)?.session.token;
  const instant = (at: Date | string): string => new Date(at).toISOString();
  return answerOf(sessions)
    .map((session) => ({
      token: session.token,
      userAgent: session.userAgent ?? null,
      address: session.ipAddress ?? null,
      startedAt: instant(session.createdAt),
      usedAt: instant(session.updatedAt),
      isThisOne: session.token === own,
    }))
    .sort((a, b) => Number(b.isThisOne) - Number(a.isThisOne) || b.usedAt.localeCompare(a.usedAt));
}

export async function endSession(token: string): Promise<void> {
  answerOf(await client.revokeSession({ token }));
}

export async function endOtherSessions(): Promise<void> {
  answerOf(await client.revokeOtherSessions());
}
