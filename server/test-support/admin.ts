import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import { OPERATOR_ROLES, type OperatorRole } from '../src/operators/access/books/roles.ts';
import { createOperator } from '../src/operators/access/service.ts';
import { addAdmin } from '../src/operators/admin/mount.ts';
import type { AdminRoute } from '../src/operators/admin/route.ts';
import { addNotFound } from '../src/platform/http/calls/not-found.ts';
import { makeBareServer } from '../src/platform/http/server.ts';
import type { Platform } from '../src/platform/platform.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export interface AdminAnswer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
  body: any;
  headers: Record<string, string | string[] | number | undefined>;
}

/** An operator with a key, who calls the operators' API. */
export interface AdminCaller {
  name: string;
  operatorId: string;
  key: string;
  call(
    method: Method,
    path: string,
    body?: object,
    headers?: Record<string, string>,
  ): Promise<AdminAnswer>;
  /** Calls, and must get 200; returns the body. */
  // biome-ignore lint/suspicious/noExplicitAny: a body of any endpoint
  must(method: Method, path: string, body?: object): Promise<any>;
}

/** The operators' API over a platform, every response checked against its schema. */
export interface TestAdmin {
  app: FastifyInstance;
  /** Makes an operator who is trusted from the start; by default they may do everything. */
  as(name: string, roles?: readonly OperatorRole[]): Promise<AdminCaller>;
  /** Returns the same operator with another key. */
  withKey(name: string, operatorId: string, key: string): AdminCaller;
}

/** Serves the operators' API in this process. */
export async function testAdmin(
  platform: Platform,
  routes: readonly AdminRoute[],
): Promise<TestAdmin> {
  const app = makeBareServer(platform, { connections: 10 });
  addNotFound(app);
  await addAdmin(app, platform, routes, { checkResponses: true });
  await app.ready();
  const withKey = (name: string, operatorId: string, key: string): AdminCaller => {
    const call: AdminCaller['call'] = async (method, path, body, headers = {}) => {
      const reply = await app.inject({
        method,
        url: `/admin/v1${path}`,
        headers: { authorization: `Bearer ${key}`, ...headers },
        ...(body === undefined ? {} : { payload: body }),
      });
      return {
        status: reply.statusCode,
        body: reply.json(),
        headers: reply.headers as AdminAnswer['headers'],
      };
    };
    return {
      name,
      operatorId,
      key,
      call,
      async must(method, path, body) {
        const answer = await call(method, path, body);
        assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
        return answer.body;
      },
    };
  };
  return {
    app,
    withKey,
    async as(name, roles = OPERATOR_ROLES) {
      const now = platform.clock.now();
      const { operator, secret } = await platform.db.transaction((tx) =>
        createOperator({ platform, tx, now }, name, 'a test', { roles }),
      );
      return withKey(name, operator.operatorId, secret);
    },
  };
}
