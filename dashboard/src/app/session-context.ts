import { createContext, use } from 'react';
import type { MeView } from '../../../server/src/dashboard/me/view.ts';

/** Who is signed in, inside the session gate; null outside of it. */
export const Session = createContext<MeView | null>(null);

/** Says to members who came in by a link where a password comes from. */
export function useNoPasswordHint(): string {
  const byOwner = 'An owner can create a link for you under Settings, Team.';
  return use(Session)?.mode === 'sandbox'
    ? `None yet? The screen that started the sandbox shows its owner’s. ${byOwner}`
    : `None yet? ${byOwner}`;
}

/** Returns the signed-in user's email address; null where no merchant is open yet. */
export function useEmail(): string | null {
  return use(Session)?.user.email ?? null;
}
