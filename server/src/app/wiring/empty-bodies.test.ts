import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { startTestService, type TestService } from '../../../test-support/service.ts';

interface Operation {
  operationId: string;
  requestBody?: { required?: boolean };
}

interface Document {
  paths: Record<string, Record<string, Operation>>;
}

let service: TestService;
let document: Document;
before(async () => {
  service = await startTestService();
  document = (await service.api<Document>('GET', '/openapi.json')).body;
});
after(() => service.close());

const METHODS = ['post', 'put', 'delete'] as const;

/** The operations of the document that change something. */
function changes() {
  return Object.entries(document.paths).flatMap(([path, operations]) =>
    METHODS.flatMap((method) => {
      const operation = operations[method];
      if (operation === undefined) return [];
      return [{ method, url: path.replaceAll(/\{\w+\}/g, 'none'), ...operation }];
    }),
  );
}

/** They reset what the others work with. */
const LAST = /reset|advance/i;

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
