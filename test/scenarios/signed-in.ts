import { request } from 'undici';
import type { Role } from '../../server/src/merchants/role.ts';
import { createSignInLink } from '../../server/src/merchants/sign-in/links/links.ts';
import { createUser } from '../../server/src/merchants/team/users.ts';
import type { TestService } from '../../server/test-support/service.ts';

/** A new member of a merchant's team, and the cookie of their session. */
export interface SignedIn {
  cookie: string;
  userId: string;
}

/** Adds Kim Fern to a merchant's team, in a role and under an address, and signs her in. */
export async function signIn(
  { running: { platform } }: TestService,
  merchantId: string,
  role: Role,
  email: string,
): Promise<SignedIn> {
  const actor = { merchantId, actorId: 'a test' };
  const { userId, url } = await platform.db.transaction(async (tx) => {
    const asked = { tx, now: platform.clock.now(), ...actor };
    const user = await createUser(platform, asked, { email, name: 'Kim Fern', role });
    return { userId: user.userId, url: (await createSignInLink(platform, tx, email)).url };
  });
  const { searchParams, origin, pathname } = new URL(url);
  const answer = await request(`${origin}${pathname}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'same-origin',
    },
    body: new URLSearchParams({ token: searchParams.get('token') ?? '' }).toString(),
  });
  await answer.body.dump();
  const line = [answer.headers['set-cookie']].flat()[0] ?? '';
  return { userId, cookie: line.split(';')[0] ?? '' };
}
