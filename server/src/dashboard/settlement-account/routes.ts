import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { merchantErrors } from '../../merchants/rules.ts';
import {
  confirmAccountChange,
  requestAccountChange,
  takeBackAccountChange,
} from '../../merchants/settlement-account-service.ts';
import { reader } from '../../merchants/sign-in/fields.ts';
import type { Proof } from '../../merchants/sign-in/sign-in.ts';
import { actorOf } from '../../platform/actor.ts';
import { invalid } from '../../platform/errors.ts';
import { callerOf } from '../../platform/http/auth.ts';
import type { Guard } from '../../platform/http/mount.ts';
import { type Route, route } from '../../platform/http/route.ts';
import { Fields, IdParams } from '../../platform/http/schemas.ts';
import type { AskedBy, Platform } from '../../platform/platform.ts';
import { showAccountChanges } from './service.ts';
import { AccountChangesView } from './view.ts';

const TAG = 'Settlement account';
const PATH = '/api/settlement_account';

const proof = {
  password: Type.String({ minLength: 1, maxLength: 128 }),
  code: Type.Optional(Type.String({ maxLength: 64 })),
};
const readChange = reader(
  Fields({
    name: Type.String({ minLength: 1, maxLength: 70 }),
    sort_code: Type.String({ maxLength: 32 }),
    account_number: Type.String({ maxLength: 32 }),
    ...proof,
  }),
);
const readProof = reader(Fields(proof));

/** Returns the routes that need only a session: showing the changes, and cancelling one. */
export function settlementAccountRoutes({ platform }: { platform: Platform }): Route[] {
  return [
    route({
      method: 'GET',
      path: PATH,
      summary: 'Get the changes of the settlement account',
      tag: TAG,
      operationId: 'getSettlementAccount',
      response: AccountChangesView,
      handle: (call) => showAccountChanges(platform, call),
    }),
    route({
      method: 'DELETE',
      path: `${PATH}/changes/:id`,
      summary: 'Take a change back that is not in force yet',
      tag: TAG,
      operationId: 'takeBackSettlementAccount',
      params: IdParams,
      response: AccountChangesView,
      errors: ['not_found'],
      handle: async (call) => {
        await takeBackAccountChange(platform, call, call.params.id);
        return showAccountChanges(platform, call);
      },
    }),
  ];
}

/** The dependencies of these endpoints. */
export interface AccountChangeDeps {
  platform: Platform;
  /** Requires the caller to prove their identity again (`SignIn.prove`). */
  prove(request: FastifyRequest, reply: FastifyReply, proof: Proof): Promise<void>;
}

type Change = (asked: AskedBy) => Promise<unknown>;

/** Adds the routes that request and confirm a change: a session, which may be stolen, is not enough. */
export function addAccountChanges(
  app: FastifyInstance,
  { platform, prove }: AccountChangeDeps,
  guards: (operationId: string) => Guard[],
): void {
  const done = async (request: FastifyRequest, change: Change): Promise<AccountChangesView> => {
    const caller = callerOf(request);
    const now = platform.clock.now();
    const view = await platform.db.forMerchant(
      caller.merchantId,
      async (tx) => {
        const asked = { ...caller, tx, now };
        await change(asked);
        return showAccountChanges(platform, asked);
      },
      { actor: actorOf(caller.actorId) },
    );
    platform.wake();
    return view;
  };
  const limited = (operationId: string) => ({
    schema: { hide: true },
    config: { limitedBy: 'dashboard' as const },
    onRequest: guards(operationId),
  });
  app.post(
    `/dashboard${PATH}/changes`,
    limited('changeSettlementAccount'),
    async (request, reply) => {
      const { name, sort_code, account_number, ...given } = readChange(request.body);
      const account = { name, sortCode: sort_code, accountNumber: account_number };
      const wrong = merchantErrors({ settlementAccount: account }, platform.config.mode);
      if (Object.keys(wrong).length > 0) throw invalid(withoutPrefix(wrong));
      await prove(request, reply, given);
      const view = await done(request, (asked) => requestAccountChange(platform, asked, account));
      return reply.header('cache-control', 'no-store').send(view);
    },
  );
  app.post<{ Params: { id: string } }>(
    `/dashboard${PATH}/changes/:id/confirm`,
    limited('confirmSettlementAccount'),
    async (request, reply) => {
      await prove(request, reply, readProof(request.body));
      const view = await done(request, (asked) =>
        confirmAccountChange(platform, asked, request.params.id),
      );
      return reply.header('cache-control', 'no-store').send(view);
    },
  );
}

/** Shortens field names: `settlement_account.sort_code` is `sort_code` here. */
function withoutPrefix(wrong: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(wrong).map(([field, problem]) => [field.split('.').at(-1) ?? field, problem]),
  );
}
