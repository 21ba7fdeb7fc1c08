import { RecollectError } from '@recollect/sdk';
import { useQuery } from '@tanstack/react-query';
import { jsonClient } from '../../api/calls/json-client.ts';
import { BASE } from '../../app/base.ts';

const origin = location.origin;
const sameOrigin: typeof globalThis.fetch = (input, init) =>
  globalThis.fetch(input, { ...init, credentials: 'same-origin' });

/** The operators' API, called with the session's cookie: paths are below `/admin/v1`. */
export const admin = jsonClient(`${origin}/admin/v1`, sameOrigin);

/** What the console has besides: its session, and the health of the process. */
const port = jsonClient(origin, sameOrigin);

/** How one signs in to this console. */
export interface SignInWays {
  sso: boolean;
  key: boolean;
}

export function useSignInWays() {
  return useQuery({
    queryKey: ['sign-in-ways'],
    queryFn: () => port.get<SignInWays>(`${BASE}/session`),
  });
}

/** Returns the address that leads to the operators' identity provider. */
export function ssoAddress(next: string | null): string {
  return `${BASE}/sso${next === null ? '' : `?${new URLSearchParams({ next })}`}`;
}

/** Signs in with an operator's key. */
export async function signIn(key: string): Promise<void> {
  await port.post(`${BASE}/session`, { key });
}

/** Ends the session, and leaves the page with a full load, so that none of its data remains. */
export async function signOut(): Promise<void> {
  await port.delete(`${BASE}/session`);
  location.assign(`${BASE}/sign-in`);
}

/** Whether an error says that the session is over. */
export function isSignedOut(error: unknown): boolean {
  return error instanceof RecollectError && error.status === 401;
}

/** Whether an error says that there is no such thing. */
export function isNotFound(error: unknown): boolean {
  return error instanceof RecollectError && error.status === 404;
}
