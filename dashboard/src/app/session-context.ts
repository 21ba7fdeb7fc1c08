import { createContext, use } from 'react';
import type { MeView } from '../../../server/src/dashboard/me/view.ts';

/** Who is signed in, inside the session gate; null outside of it. */
export const Session = createContext<MeView | null>(null);

/** Returns the signed-in user's email address; null where no merchant is open yet. */
export function useEmail(): string | null {
  return use(Session)?.user.email ?? null;
}
