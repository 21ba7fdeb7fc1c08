import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { sdkMethods } from '../../../sdk/test-support/methods.ts';
import { type ApiDocument, apiDocument } from '../sdk-types.ts';
import { broken } from './broken.ts';
import { clientFiles } from './clients.ts';
import { resourcesOf } from './operations.ts';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the clients of other languages have the types and methods of the document that the service serves', async () => {
  const { version } = JSON.parse(read('package.json')) as { version: string };
  const files = await clientFiles(await apiDocument(), version);
  assert.equal(files.length, 2);
  for (const [path, text] of files)
    assert.equal(read(path), text, `${path}: npm run generate -- clients`);
});

test('a route that the SDK has no method for is named', async () => {
  const paths = { '/api/v1/new': { get: { operationId: 'getNew', responses: {} } } };
  const document: ApiDocument = { paths, components: { schemas: {} } };
  const methods = await sdkMethods();
  assert.throws(() => resourcesOf(document, methods), /no method for GET \/api\/v1\/new$/);
});

test('a line that is too wide is broken in its brackets, and a lone type gets no comma', () => {
  assert.equal(broken('f(a, b)', '', 20), 'f(a, b)');
  assert.equal(
    broken('x: Optional[Literal["a, [", "b"]]', '  ', 20),
    'x: Optional[\n      Literal[\n          "a, [",\n          "b",\n      ]\n  ]',
  );
});
