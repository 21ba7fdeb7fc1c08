import type { FastifyInstance } from 'fastify';
import type { Role } from '../../src/merchants/role.ts';
import type { SignInLimits } from '../../src/merchants/sign-in/settings.ts';
import { makeSignIn, type SignIn } from '../../src/merchants/sign-in/sign-in.ts';
import { insertUser, setPasswordHash } from '../../src/merchants/sign-in/user-store.ts';
import { addMember } from '../../src/merchants/team/service.ts';
import type { Config } from '../../src/platform/config/config.ts';
import type { Tx } from '../../src/platform/db/db.ts';
import { realNow } from '../../src/platform/time/clock.ts';
import { trust } from '../team-member.ts';
import { bareMerchant, ownPlatform, type TestPlatform, testServer } from './platform.ts';

export const PASSWORD = 'correct horse battery';
const NO_LIMITS: SignInLimits = {
  triesPerAddress: 1000,
  triesPerAccount: 1000,
  triesEverywhere: 1000,
  triesPerDevice: 1000,
  triesOfDevices: 1000,
};
const ORIGIN = 'http://localhost:4000';
/** Where the page has a form of its own, without a script: all others take JSON. */
const FORM = '/sign-in-link';

/** A service with sign-in, for test users. */
export interface Place {
  platform: TestPlatform;
  app: FastifyInstance;
  signIn: SignIn;
  close(): Promise<void>;
}

/** Opens sign-in over a database of its own. */
export async function openPlace(
  config: Partial<Config> = {},
  limits: Partial<SignInLimits> = {},
  change: (platform: TestPlatform) => void = () => undefined,
): Promise<Place> {
  const platform = await ownPlatform(config);
  change(platform);
  const signIn = makeSignIn(platform, { ...NO_LIMITS, ...limits });
  const app = await testServer(platform, { plain: signIn.routes });
  return {
    platform,
    app,
    signIn,
    async close() {
      await signIn.idle();
      await app.close();
      await platform.drop();
    },
  };
}

let people = 0;

/** Creates a user with a password, on the team of a merchant; by default a new one. */
export async function makeUser(
  { platform, signIn }: Place,
  role: Role = 'owner',
  merchant?: string,
): Promise<{ userId: string; email: string; merchantId: string }> {
  const merchantId = merchant ?? (await bareMerchant(platform));
  const now = realNow();
  people++;
  const user = {
    userId: platform.ids.next('usr', now),
    name: `Person ${people}`,
    email: `person${people}@fernhill.example`,
  };
  const hash = await hashOf(signIn, platform);
  await platform.db.transaction(async (tx: Tx) => {
    await insertUser(tx, user, now);
    await setPasswordHash(tx, user.userId, platform.ids.next('crd', now), hash, now);
    await addMember(
      platform,
      { tx, now: platform.clock.now(), merchantId, actorId: 'test' },
      user.userId,
      role,
    );
  });
  await trust(platform.db, user.userId);
  return { ...user, merchantId };
}

let hash: Promise<string> | undefined;

/** Returns the hash of PASSWORD, computed once: it is slow by design. */
function hashOf(signIn: SignIn, platform: TestPlatform): Promise<string> {
  hash ??= (async () => {
    await signIn.warmUp();
    const { makeLibrary } = await import('../../src/merchants/sign-in/library/library.ts');
    return (await makeLibrary(platform).$context).password.hash(PASSWORD);
  })();
  return hash;
}

/** The response to a visitor. */
export interface Answered {
  status: number;
  body: Record<string, unknown>;
  headers: Record<string, unknown>;
  cookies: string[];
}

/** A browser on our pages: keeps cookies and sends the origin of each request. */
export class Visitor {
  readonly #place: Place;
  readonly cookies = new Map<string, string>();
  address = '192.0.2.1';

  constructor(place: Place) {
    this.#place = place;
  }

  get cookie(): string {
    return [...this.cookies].map((pair) => pair.join('=')).join('; ');
  }

  async send(
    method: 'GET' | 'POST',
    path: string,
    body?: object,
    headers: Record<string, string> = { origin: ORIGIN, 'sec-fetch-site': 'same-origin' },
  ): Promise<Answered> {
    const isForm = path === FORM;
    const response = await this.#place.app.inject({
      method,
      url: `/dashboard/auth${path}`,
      remoteAddress: this.address,
      headers: {
        host: new URL(ORIGIN).host,
        ...(isForm ? { 'content-type': 'application/x-www-form-urlencoded' } : {}),
        ...headers,
        ...(this.cookies.size === 0 ? {} : { cookie: this.cookie }),
      },
      ...(body === undefined
        ? {}
        : { payload: isForm ? new URLSearchParams({ ...body }).toString() : body }),
    });
    const set = [response.headers['set-cookie'] ?? []].flat();
    for (const line of set) this.#keep(line);
    return {
      status: response.statusCode,
      body: response.body.startsWith('{') || response.body.startsWith('[') ? response.json() : {},
      headers: response.headers,
      cookies: set,
    };
  }

  #keep(line: string): void {
    const [pair = ''] = line.split(';');
    const [name = '', value = ''] = pair.split('=');
    if (value === '' || /Max-Age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }

  signIn(email: string, password = PASSWORD): Promise<Answered> {
    return this.send('POST', '/sign-in/email', { email, password });
  }

  /** Returns the user the service takes this visitor for; null: not signed in. */
  async is(): Promise<string | null> {
    const user = await this.#place.signIn.who({ cookie: this.cookie });
    return user?.userId ?? null;
  }
}
