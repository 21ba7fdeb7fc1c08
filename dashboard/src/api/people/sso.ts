import { RecollectError } from '@recollect/sdk';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { SsoView } from '../../../../server/src/dashboard/access/sso-view.ts';
import { BASE } from '../../app/base.ts';
import { dashboard } from '../client.ts';
import type { Proof } from '../settlement-account.ts';

export type Sso = SsoView;

/** A registration with a provider; without a secret, the one that is stored stays. */
export interface NewSso {
  issuer: string;
  client_id: string;
  client_secret?: string;
  is_required: boolean;
}

const PATH = '/api/team/sso';
const TEAM_KEY = 'recollect.sso-team';

/** Fetches how the team uses single sign-on. Requires `manage_team`. */
export function useSso() {
  return useQuery({ queryKey: ['sso'], queryFn: () => dashboard.get<Sso>(PATH) });
}

/** Registers the team's identity provider, with the owner's proof of identity. */
export function useChangeSso() {
  return useMutation({ mutationFn: (body: NewSso & Proof) => dashboard.put<Sso>(PATH, body) });
}

/** Ends single sign-on for the team. */
export function useRemoveSso() {
  return useMutation({
    mutationFn: (proof: Proof) => dashboard.post<Sso>(`${PATH}/remove`, proof),
  });
}

/** Returns the address that leads to a team's identity provider, and from there to a page of the dashboard. */
export function ssoAddress(team: string, next: string | null): string {
  const query = next === null ? '' : `?next=${encodeURIComponent(next)}`;
  return `${BASE}/auth/sso/${encodeURIComponent(team)}${query}`;
}

/** Returns the team in an id or in an address that an owner has passed on; null: there is none. */
export function teamIn(text: string): string | null {
  return /mer_[0-9A-Za-z]{22}/.exec(text)?.[0] ?? null;
}

/** Returns the team that requires single sign-on, if an error says so. */
export function teamRequiringSso(error: unknown): string | null {
  if (!(error instanceof RecollectError) || error.code !== 'sso_required') return null;
  return error.details?.team ?? null;
}

/** Remembers the team whose provider this browser was signed in by, so that the sign-in page can offer it. */
export function rememberSso(team: string): void {
  try {
    localStorage.setItem(TEAM_KEY, team);
  } catch {
    // No storage: the team's address still works.
  }
}

/** Returns the team that was remembered, or null. */
export function rememberedSso(): string | null {
  try {
    return localStorage.getItem(TEAM_KEY);
  } catch {
    return null;
  }
}
