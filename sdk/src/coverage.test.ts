import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Recollect } from '@recollect/sdk';
import { startTestService, type TestService } from '../../server/test-support/service.ts';

let service: TestService;
before(async () => {
  service = await startTestService();
});
after(() => service.close());

interface Document {
  paths: Record<string, Record<string, { operationId: string }>>;
}

/** Names of what stands in a path in place of ids. */
const PLACES = ['place1', 'place2', 'place3'];

/** Calls every method of every resource, and returns the calls that they send, as the OpenAPI document writes them. */
async function everyCall(): Promise<Set<string>> {
  const calls = new Set<string>();
  const client = new Recollect({
    apiKey: 'rk_test_1',
    baseUrl: 'http://localhost',
    fetch: async (url, init) => {
      const path = new URL(String(url)).pathname.replaceAll(/place\d/g, '{}');
      calls.add(`${init?.method} ${path}`);
      return new Response('{"data":[],"total":0}');
    },
  });
  for (const resource of Object.values(client) as Record<string, unknown>[])
    for (const name of Object.getOwnPropertyNames(Object.getPrototypeOf(resource))) {
      const method = resource[name];
      if (name !== 'constructor' && typeof method === 'function')
        await Reflect.apply(method, resource, PLACES);
    }
  return calls;
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
    Object.keys(methods).map(
      (method) => `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`,
    ),
  );
  assert.deepEqual([...(await everyCall())].sort(), routes.sort());
});
