import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK } from 'jose';
import Provider, { type Adapter, type AdapterPayload, type Configuration } from 'oidc-provider';
import { request } from 'undici';

/** An account of the provider. */
export interface Account {
  sub: string;
  email: string;
  email_verified: boolean;
  name?: string;
}

/** A real OpenID provider on loopback, with a page that offers its accounts by name. */
export interface IdentityProvider {
  issuer: string;
  client: { client_id: string; client_secret: string };
  /** Its accounts, by the name on its page; tests add to them. */
  accounts: Map<string, Account>;
  close(): Promise<void>;
}

const CLIENT = {
  client_id: 'recollect',
  client_secret: 'a secret of forty-three digits, long enough',
};
const GRANTED = 'openid email profile';

let key: Promise<JWK> | undefined;

/** Makes the key once for all providers: it takes a while. */
async function signingKey(): Promise<JWK> {
  key ??= generateKeyPair('RS256', { extractable: true }).then(({ privateKey }) =>
    exportJWK(privateKey),
  );
  return { ...(await key), use: 'sig', alg: 'RS256' };
}

/** Keeps what a provider stores; its ids are random, so all providers share it. */
const stored = new Map<string, AdapterPayload>();

class Memory implements Adapter {
  readonly #kind: string;

  constructor(kind: string) {
    this.#kind = kind;
  }

  async upsert(id: string, payload: AdapterPayload): Promise<void> {
    stored.set(`${this.#kind}:${id}`, payload);
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    return stored.get(`${this.#kind}:${id}`);
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    return [...stored.values()].find((payload) => payload.uid === uid);
  }

  async findByUserCode(): Promise<undefined> {
    return undefined;
  }

  async consume(id: string): Promise<void> {
    const payload = await this.find(id);
    if (payload !== undefined) payload.consumed = true;
  }

  async destroy(id: string): Promise<void> {
    stored.delete(`${this.#kind}:${id}`);
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    for (const [name, payload] of stored) if (payload.grantId === grantId) stored.delete(name);
  }
}

/** Starts a provider. `emailInToken`: the ID token has the address too, as some providers' have; else only the user info. */
export async function startIdentityProvider(
  redirectUris: string[],
  { emailInToken = false }: { emailInToken?: boolean } = {},
): Promise<IdentityProvider> {
  const accounts = new Map<string, Account>();
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    adapter: Memory,
    ttl: { Interaction: 600, Grant: 600, Session: 600, AccessToken: 600, IdToken: 600 },
    jwks: { keys: [await signingKey()] },
    clients: [{ ...CLIENT, redirect_uris: redirectUris }],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    conformIdTokenClaims: !emailInToken,
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_ctx, interaction) => `/interaction/${interaction.uid}` },
    cookies: { keys: ['a key of this test alone'] },
    findAccount: (_ctx, id) => {
      const account = [...accounts.values()].find(({ sub }) => sub === id);
      return account === undefined
        ? undefined
        : { accountId: id, claims: async () => ({ ...account }) };
    },
    loadExistingGrant: async (ctx) => {
      const { client, session, provider: own } = ctx.oidc;
      const grant = new own.Grant({
        ...(client === undefined ? {} : { clientId: client.clientId }),
        ...(session?.accountId === undefined ? {} : { accountId: session.accountId }),
      });
      grant.addOIDCScope(GRANTED);
      await grant.save();
      return grant;
    },
  } satisfies Configuration);
  const answer = provider.callback();
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction/') !== true) void answer(request, response);
    else void choose(provider, accounts, request, response);
  });
  return {
    issuer,
    client: CLIENT,
    accounts,
    close: async () => {
      if (!server.listening) return;
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Shows the accounts, and signs in the one that was chosen; `decline` goes back without. */
async function choose(
  provider: Provider,
  accounts: ReadonlyMap<string, Account>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', provider.issuer);
  const name = url.searchParams.get('as');
  if (name === null) {
    const links = [...accounts.keys(), 'decline'].map((one) => `<a href="?as=${one}">${one}</a>`);
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(
      `<!doctype html><html lang="en-GB"><title>Provider</title><link rel="icon" href="data:,">
         <h1>Who are you?</h1>${links.join('<br>')}`,
    );
    return;
  }
  const accountId = accounts.get(name)?.sub;
  const result =
    accountId === undefined
      ? { error: 'access_denied' }
      : { login: { accountId, remember: false } };
  await provider.interactionFinished(request, response, result);
}

/** Follows a browser's way from the provider's address, as one of its accounts, until it leaves the provider. */
export async function throughProvider(
  { issuer }: IdentityProvider,
  begun: string,
  as: string,
): Promise<string> {
  const cookies = new Map<string, string>();
  let at = begun;
  for (let hops = 0; hops < 6 && at.startsWith(issuer); hops++) {
    const answer = await request(at, {
      headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    });
    await answer.body.dump();
    for (const line of [answer.headers['set-cookie'] ?? []].flat()) {
      const [pair = ''] = line.split(';');
      const cut = pair.indexOf('=');
      cookies.set(pair.slice(0, cut), pair.slice(cut + 1));
    }
    const { location } = answer.headers;
    at = new URL(typeof location === 'string' ? location : `?as=${as}`, at).href;
  }
  return at;
}
