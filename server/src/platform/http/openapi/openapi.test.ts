import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { validate } from '@scalar/openapi-parser';
import Fastify, { type FastifyInstance } from 'fastify';
import { noteRoutes, testPlatform, testServer } from '../../../../test-support/slices/platform.ts';
import { ERROR_STATUS } from '../../values/errors.ts';
import { addReference } from './reference.ts';

interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; required: boolean }[];
  responses: Record<string, { headers?: object; description: string; content?: object }>;
}
interface Document {
  openapi: string;
  servers: { url: string }[];
  security: object[];
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; securitySchemes: Record<string, object> };
}

const platform = testPlatform('postgres://nobody@127.0.0.1:1/nothing');
let app: FastifyInstance;
let document: Document;

before(async () => {
  app = await testServer(platform);
  document = (await app.inject({ url: '/openapi.json' })).json();
});
after(async () => {
  await app.close();
  await platform.db.close();
});

test('the document is valid OpenAPI 3.1', async () => {
  assert.equal(document.openapi, '3.1.0');
  const { valid, errors } = await validate(JSON.stringify(document));
  assert.deepEqual(errors ?? [], []);
  assert.ok(valid);
  const broken = { ...document, paths: { '/x': { get: { responses: 'none' } } } };
  assert.equal((await validate(JSON.stringify(broken))).valid, false);
});

test('it lists every endpoint of the API and nothing else', () => {
  const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(
      ([method, { operationId }]) => `${operationId} ${method} ${path}`,
    ),
  );
  const mounted = noteRoutes().map((r) => `${r.operationId} ${r.method.toLowerCase()} ${r.path}`);
  assert.deepEqual(listed.sort(), mounted.sort());
});

test('each endpoint tells its key header, its refusals by status, and the headers of its answers', () => {
  const { get, post } = document.paths['/api/v1/note'] ?? {};
  const names = (operation?: Operation) => operation?.parameters?.map(({ name }) => name);
  assert.deepEqual(names(get), ['X-Request-Id']);
  assert.deepEqual(names(post), ['X-Request-Id', 'Idempotency-Key']);
  assert.deepEqual(Object.keys(get?.responses ?? {}), ['200', '400', '401', '429', '500', '503']);
  assert.match(post?.responses['404']?.description ?? '', /`not_found`/);
  assert.match(
    post?.responses['409']?.description ?? '',
    /`idempotency_conflict`, `request_in_progress`/,
  );
  assert.ok('X-Request-Id' in (post?.responses['200']?.headers ?? {}));
  assert.ok('Idempotent-Replayed' in (post?.responses['200']?.headers ?? {}));
  assert.ok('Retry-After' in (get?.responses['429']?.headers ?? {}));
  assert.deepEqual(get?.responses['401']?.content, {
    'application/json': { schema: { $ref: '#/components/schemas/Error' } },
  });
});

test('the error envelope lists every code', () => {
  const text = JSON.stringify(document.components.schemas.ErrorCode);
  for (const code of Object.keys(ERROR_STATUS)) assert.ok(text.includes(`"${code}"`), code);
});

test('keys are a bearer scheme and the server is the configured one', () => {
  assert.deepEqual(document.security, [{ apiKey: [] }]);
  assert.ok('apiKey' in document.components.securitySchemes);
  assert.deepEqual(document.servers, [{ url: platform.config.baseUrl }]);
});

test('the reference names no other host, and may load nothing from one', async () => {
  const page = await app.inject({ url: '/docs/' });
  assert.equal(page.statusCode, 200);
  assert.doesNotMatch(page.body, /https?:\/\//);
  const policy = String(page.headers['content-security-policy']);
  assert.match(policy, /default-src 'none'; script-src 'self' 'sha256-/);
  assert.doesNotMatch(policy, /https?:|unsafe-eval|script-src[^;]*unsafe-inline|\*/);
  const moved = await app.inject({ url: '/docs' });
  assert.equal(moved.statusCode, 301);
  assert.match(String(moved.headers['content-type']), /^text\/html/);
  assert.equal((await app.inject({ url: '/docs/js/scalar.js' })).statusCode, 200);
});

test('a request is sent from the reference in the sandbox alone, and a key stays nowhere', async () => {
  for (const mode of ['sandbox', 'live'] as const) {
    const reference = Fastify();
    addReference(reference, { ...platform.config, mode });
    const { body } = await reference.inject({ url: '/docs/' });
    assert.match(body, new RegExp(`"hideTestRequestButton": ?${mode === 'live'}`));
    assert.match(body, /"persistAuth": ?false/);
    await reference.close();
  }
});
