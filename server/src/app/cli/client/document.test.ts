import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AdminDocument, type ApiOption, commandsOf, type Schema } from './document.ts';

const text: Schema = { type: 'string', description: 'Why.' };

const DOCUMENT: AdminDocument = {
  paths: {
    '/admin/v1/merchants/{id}/api_keys/{key_id}/revoke': {
      post: {
        summary: 'Revoke a key',
        description: 'At once.',
        tags: ['Keys'],
        'x-cli': 'key revoke',
        parameters: [
          { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
          { in: 'header', name: 'Idempotency-Key', schema: { type: 'string' } },
          { in: 'query', name: 'limit', description: 'How many.', schema: { type: 'integer' } },
        ],
        requestBody: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/Revoke' } } },
        },
      },
    },
    '/admin/v1/unnamed': { get: { summary: 'Unnamed', tags: [] } },
  },
  components: {
    schemas: {
      Revoke: {
        type: 'object',
        required: ['reason', 'settlement_account'],
        properties: {
          reason: text,
          settlement_account: { $ref: '#/components/schemas/Account' },
          owner: { type: 'object', required: ['name'], properties: { name: text } },
          is_silent: { type: 'boolean' },
          roles: { type: 'array', items: { type: 'string', enum: ['support', 'payments'] } },
          use_case: { anyOf: [{ type: 'string', enum: ['charity'] }, { type: 'null' }] },
        },
      },
      Account: {
        type: 'object',
        required: ['account_number'],
        properties: { account_number: text },
      },
    },
  },
};

const [command, ...others] = commandsOf(DOCUMENT);
const option = (flag: string): ApiOption | undefined =>
  command?.options.find((one) => one.flag === flag);

test('an endpoint that names its command is one, with the parameters of its path as arguments', () => {
  assert.deepEqual(others, []);
  assert.deepEqual(command?.words, ['key', 'revoke']);
  assert.equal(command?.method, 'POST');
  assert.deepEqual(
    command?.args.map(({ shown }) => shown),
    ['merchant_id', 'key_id'],
  );
});

test('fields of the query and the body are options, described as in the document, and headers are none', () => {
  assert.deepEqual(
    command?.options.map(({ flag, kind }) => `${flag} ${kind}`),
    [
      'limit number',
      'reason text',
      'settlement-account-number text',
      'owner-name text',
      'is-silent switch',
      'roles list',
      'use-case text',
    ],
  );
  assert.deepEqual([option('limit')?.place, option('limit')?.about], ['query', 'How many.']);
  assert.deepEqual(option('roles')?.choices, ['support', 'payments']);
});

test('a field of an object within the body keeps its path, and is required where all above it are', () => {
  const account = option('settlement-account-number');
  assert.deepEqual(account?.path, ['settlement_account', 'account_number']);
  assert.deepEqual(
    command?.options.filter(({ isRequired }) => isRequired).map(({ flag }) => flag),
    ['reason', 'settlement-account-number'],
  );
});

test('a field that may be null is emptied by a word, which its description says', () => {
  const { takesNone, about, choices } = option('use-case') ?? {};
  assert.deepEqual([takesNone, about, choices], [true, 'none: empties it.', ['charity']]);
  assert.equal(option('reason')?.takesNone, false);
});
