import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Recollect } from '@recollect/sdk';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { routeOf, sdkMethods } from '../test-support/methods.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
}

test('the README names every resource and its methods', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  const client = new Recollect({ apiKey: null, baseUrl: 'http://localhost' });
  for (const [name, resource] of Object.entries(client)) {
    const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`)) ?? name;
    const methods = Object.getOwnPropertyNames(Object.getPrototypeOf(resource)).slice(1);
    const named = Array.from(row.matchAll(/`(\w+)`/g), ([, word]) => word).slice(1);
    assert.deepEqual(named.sort(), methods.sort(), name);
  }
});

test('there is a method for every route of the API, and none for what is no route', async () => {
  const { body } = await service.api<Document>('GET', '/openapi.json');
  const routes = Object.entries(body.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => routeOf(method, path)),
  );
  const called = new Set((await sdkMethods()).map(({ route }) => route));
  assert.deepEqual([...called].sort(), routes.sort());
});
