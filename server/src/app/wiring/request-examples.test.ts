import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import {
  type ExampleBody,
  type ExampleSchema,
  exampleOfBody,
} from '../../platform/http/openapi/example.ts';

interface Operation {
  operationId: string;
  requestBody?: { required?: boolean; content: Record<string, ExampleBody> };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, ExampleSchema> };
}

let service: TestService;
let document: Document;
before(async () => {
  // The day on which people read the document, and not that of a test.
  service = await startTestService({ start: Temporal.Now.instant().toString() });
  document = (await service.api<Document>('GET', '/openapi.json')).body;
});
after(() => service.close());

const METHODS = ['post', 'put', 'delete'] as const;

/** The operations of the document that change something, with the example of their body. */
function changes() {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined) return [];
      const shown = operation.requestBody?.content['application/json'];
      const body =
        shown === undefined ? undefined : exampleOfBody(shown, document.components.schemas);
      const url = path.replaceAll(/\{\w+\}/g, 'none');
      return [{ method, url, body, ...operation }];
    }),
  );
}

/** They reset what the others work with. */
const LAST = /reset|advance/i;

test('no example of a request is refused for what it says', async () => {
  const wrong: string[] = [];
  const all = changes();
  assert.ok(all.length > 25);
  const order = all.toSorted((a, b) => Number(LAST.test(a.url)) - Number(LAST.test(b.url)));
  for (const { method, url, body, operationId } of order) {
    const verb = method.toUpperCase() as 'POST' | 'PUT' | 'DELETE';
    const answer = await service.api<{ error?: object }>(verb, url, body);
    if (answer.status === 400 || answer.status >= 500)
      wrong.push(`${operationId} ${JSON.stringify(body)}: ${JSON.stringify(answer.body)}`);
  }
  assert.deepEqual(wrong, []);
});

test('where nothing needs to be sent, an empty object may be, and the document says so', async () => {
  for (const { method, url, operationId, requestBody } of changes()) {
    if (method === 'delete' || LAST.test(url)) continue;
    assert.ok(requestBody !== undefined, operationId);
    const answer = await service.api(method === 'put' ? 'PUT' : 'POST', url, {});
    if (requestBody.required !== true)
      assert.notEqual(answer.status, 415, `${operationId}: ${answer.status}`);
  }
});

test('an unknown behaviour of the sandbox issuer is named in a whole sentence', async () => {
  const { status, body } = await service.api('PUT', '/sandbox/issuer', { modes: ['friendly'] });
  assert.equal(status, 400);
  assert.match(JSON.stringify(body), /There is no mode .{2}friendly.{2}; there are /);
});
