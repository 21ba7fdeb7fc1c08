import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { reader } from '../../merchants/sign-in/fields.ts';
import { findRegistration } from '../../merchants/sign-in/sso/provider-store.ts';
import { ProviderFailed, type Providers } from '../../merchants/sign-in/sso/providers.ts';
import { buttonPage } from '../../merchants/sign-in/sso/routes.ts';
import {
  completed,
  deregister,
  type RegistrationInput,
  register,
} from '../../merchants/sign-in/sso/service.ts';
import { teamSignInEntry } from '../../merchants/sign-in/sso/team-entry.ts';
import { refuseNewcomer } from '../../merchants/team/person.ts';
import { listMembers } from '../../merchants/team/store.ts';
import { type Route, route } from '../../platform/http/calls/route.ts';
import { refuseEndpoint } from '../../platform/network/address.ts';
import type { AskedBy, Platform } from '../../platform/platform.ts';
import { invalid } from '../../platform/values/errors.ts';
import type { Guards } from '../gate.ts';
import { addProved, type ProvedDeps } from '../proved.ts';
import { NewSso, SsoRemoval, SsoView } from './sso-view.ts';

/** What a change of single sign-on needs. */
export interface SsoDeps extends ProvedDeps {
  providers(): Promise<Pick<Providers, 'check'>>;
}

const PATH = '/api/team/sso';
const readNew = reader(NewSso);
const readRemoval = reader(SsoRemoval);

async function show(platform: Platform, { tx, merchantId, actorId }: AskedBy): Promise<SsoView> {
  const registration = await findRegistration(platform.vault, tx, merchantId);
  const members = await listMembers(tx, merchantId);
  return {
    provider:
      registration === null
        ? null
        : {
            issuer: registration.issuer,
            client_id: registration.clientId,
            is_required: registration.isRequired,
          },
    sign_in_url: buttonPage(platform, merchantId),
    redirect_uri: teamSignInEntry(platform.config, merchantId).redirectUri,
    members: members.length,
    linked_members: members.filter((one) => one.usesSso).length,
    has_second_factor: members.some((one) => one.userId === actorId && one.twoFactor),
  };
}

/** Returns the route that shows how the team uses single sign-on. The client secret is never shown. */
export function ssoRoutes(platform: Platform): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'Get how the team uses single sign-on',
      tag: 'Team',
      operationId: 'getSso',
      scope: null,
      permission: 'manage_team',
      response: SsoView,
      handle: (call) => show(platform, call),
    }),
  ];
}

/** Adds the routes that register the team's identity provider and remove it: a session, which may be stolen, is not enough. */
export function addSsoChanges(app: FastifyInstance, deps: SsoDeps, guards: Guards): void {
  const { platform } = deps;
  addProved(app, deps, guards, {
    method: 'PUT',
    path: PATH,
    operationId: 'changeSso',
    permission: 'manage_team',
    read: readNew,
    check: ({ merchantId }, body) => checkProvider(deps, merchantId, toRegistrationInput(body)),
    change: async (asked, body) => {
      await refuseNewcomer(asked);
      await register(platform, asked, toRegistrationInput(body));
      return show(platform, asked);
    },
  });
  addProved(app, deps, guards, {
    method: 'POST',
    path: `${PATH}/remove`,
    operationId: 'removeSso',
    permission: 'manage_team',
    read: readRemoval,
    change: async (asked) => {
      await refuseNewcomer(asked);
      await deregister(platform, asked);
      return show(platform, asked);
    },
  });
}

function toRegistrationInput(body: Static<typeof NewSso>): RegistrationInput {
  return {
    issuer: body.issuer.trim(),
    clientId: body.client_id.trim(),
    clientSecret: body.client_secret ?? null,
    isRequired: body.is_required,
  };
}

/** Throws 400 naming `issuer` unless an OpenID provider answers there, so that a typing error is found before it is saved. */
async function checkProvider(
  { platform, providers }: SsoDeps,
  merchantId: string,
  wanted: RegistrationInput,
): Promise<void> {
  const { db, config } = platform;
  const wrong = await refuseEndpoint(wanted.issuer, config.mode);
  if (wrong !== null) throw invalid({ issuer: wrong });
  if (wanted.issuer.includes('/.well-known/'))
    throw invalid({ issuer: 'must be the issuer alone, without /.well-known/…' });
  const client = await db.forMerchant(merchantId, (tx) =>
    completed(platform, tx, merchantId, wanted),
  );
  try {
    await (await providers()).check(client);
  } catch (error) {
    if (!(error instanceof ProviderFailed)) throw error;
    throw invalid({ issuer: `no OpenID provider answers there: ${error.message}` });
  }
}
