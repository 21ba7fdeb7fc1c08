import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Proof } from '../merchants/sign-in/step-up.ts';
import type { Permission } from '../platform/http/calls/access.ts';
import { callerOf } from '../platform/http/calls/auth.ts';
import { refuseUnstorable } from '../platform/http/calls/inputs.ts';
import type { Caller } from '../platform/http/calls/route.ts';
import type { AskedBy, Platform } from '../platform/platform.ts';
import { actorOf } from '../platform/state/actor.ts';
import type { Guards } from './gate.ts';

/** What a change needs for which a session, which may be stolen, is not enough. */
export interface ProvedDeps {
  platform: Platform;
  /** Requires the caller to prove their identity again (`SignIn.prove`). */
  prove(request: FastifyRequest, reply: FastifyReply, proof: Proof): Promise<unknown>;
}

/** The caller's proof of identity; spread it into a body. */
export const PROOF_FIELDS = {
  password: Type.String({ minLength: 1, maxLength: 128 }),
  code: Type.Optional(Type.String({ maxLength: 64 })),
};

/** A change that requires the password, and the second factor of a member who has one. */
interface ProvedChange<B extends Proof, C> {
  method: 'POST' | 'PUT' | 'DELETE';
  /** Below `/dashboard`. */
  path: string;
  operationId: string;
  permission: Permission;
  read(body: unknown): B;
  /** Does what needs a call to the outside, before the transaction begins. Throws what the caller gets. */
  check?(caller: Caller, body: B): Promise<C>;
  /** Makes the change in the caller's transaction; returns the response. `checked`: what `check` returned. */
  change(
    asked: AskedBy,
    body: B,
    params: Readonly<Record<string, string>>,
    checked: C | undefined,
  ): Promise<object>;
}

/** Adds a route for a change that its caller confirms with their password and second factor. */
export function addProved<B extends Proof, C = void>(
  app: FastifyInstance,
  { platform, prove }: ProvedDeps,
  guards: Guards,
  { method, path, operationId, permission, read, check, change }: ProvedChange<B, C>,
): void {
  app.route<{ Params: Record<string, string> }>({
    method,
    url: `/dashboard${path}`,
    schema: { hide: true },
    config: { limitedBy: 'dashboard' },
    onRequest: guards({ operationId, method, permission, proof: 'in_body' }),
    handler: async (request, reply) => {
      const { params } = request;
      refuseUnstorable({ params, query: {}, body: undefined });
      const body = read(request.body);
      const { password, code } = body;
      await prove(request, reply, code === undefined ? { password } : { password, code });
      const caller = callerOf(request);
      const checked = await check?.(caller, body);
      const answer = await platform.db.forMerchant(
        caller.merchantId,
        (tx) => change({ ...caller, tx, now: platform.clock.now() }, body, params, checked),
        { actor: actorOf(caller.actorId) },
      );
      platform.wake();
      return reply.header('cache-control', 'no-store').send(answer);
    },
  });
}
