import { toast } from '../ui/overlays/toast.tsx';
import { BASE } from './base.ts';

/** Ends the session. The sign-in library is fetched on demand, not with the first page. */
async function endSession(): Promise<void> {
  const { signOut } = await import('../api/people/sign-in.ts');
  await signOut();
}

/** Ends the session and leaves the page with a full load, so that none of its data remains for the next user. */
export function leave(): void {
  endSession().then(
    () => location.assign(`${BASE}/sign-in`),
    () =>
      toast('You are still signed in because the service did not respond. Try again.', 'danger'),
  );
}
