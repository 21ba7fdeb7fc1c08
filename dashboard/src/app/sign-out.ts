import { toast } from '../ui/toast.tsx';
import { BASE } from './base.ts';

/** The library of the sign-in is fetched when it is needed: not with the first page. */
async function endSession(): Promise<void> {
  const { signOut } = await import('../api/sign-in.ts');
  await signOut();
}

/** Ends the session. The page is left for good: nothing of what it holds is there for who signs in next. */
export function leave(): void {
  endSession().then(
    () => location.assign(`${BASE}/sign-in`),
    () =>
      toast('You are still signed in because the service did not respond. Try again.', 'danger'),
  );
}
