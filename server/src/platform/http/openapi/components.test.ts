import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Described } from '../schemas/schemas.ts';
import { shownAs, withComponents } from './components.ts';

const amount = { title: 'Amount', type: 'object', properties: { value: { type: 'integer' } } };

interface Result {
  a: unknown;
  b: unknown;
  components: { schemas: Record<string, unknown>; headers: Record<string, unknown> };
}
const convert = (document: object) => withComponents(document) as Result;

test('a schema with a title becomes a component, named wherever it stands', () => {
  const { title: _, ...schema } = amount;
  const { a, b, components } = convert({
    info: { title: 'Recollect' },
    a: { type: 'array', items: amount },
    b: { ...amount, description: 'Paid out.' },
    components: { schemas: { Error: { type: 'object' } } },
  });
  const $ref = '#/components/schemas/Amount';
  assert.deepEqual(a, { type: 'array', items: { $ref } });
  assert.deepEqual(b, { $ref, description: 'Paid out.' });
  assert.deepEqual(components.schemas, { Error: { type: 'object' }, Amount: schema });
});

test('a title that another schema has already stays where it is, for the tests to find', () => {
  const other = { ...amount, properties: {} };
  const { b } = convert({ info: {}, a: amount, b: other });
  assert.deepEqual(b, other);
});

test('what is shown replaces what validates, and data is never taken for a schema', () => {
  const example = { title: 'Mr', default: 1 };
  const { a } = convert({
    info: {},
    a: { type: 'x', ...shownAs({ type: 'y', examples: [example] }) },
  });
  assert.deepEqual(a, { type: 'y', examples: [example] });
});

test('the default of a field moves into its description', () => {
  const field = { type: 'integer', default: 24, description: 'Hours.' };
  const { a } = convert({ info: {}, a: { properties: { overlap: field, other: {} } } });
  const properties = {
    overlap: { type: 'integer', description: 'Hours. Default: 24.' },
    other: {},
  };
  assert.deepEqual(a, { properties });
});

test('one component serves a header of every response that has it alike', () => {
  const response = (limit: object) => ({ description: '', content: {}, headers: { Limit: limit } });
  const { a, b, components } = convert({
    info: {},
    a: response({ schema: 1 }),
    b: response({ schema: 2 }),
  });
  assert.deepEqual(components.headers, { Limit: { schema: 1 } });
  assert.deepEqual(a, response({ $ref: '#/components/headers/Limit' }));
  assert.deepEqual(b, response({ schema: 2 }));
});

test('a description in one place is not taken for that of the component', () => {
  const paidOut = Described({ ...amount, description: 'An amount.' }, 'Paid out.');
  const { a, b, components } = convert({ info: {}, a: paidOut, b: amount });
  const $ref = '#/components/schemas/Amount';
  assert.deepEqual([a, b], [{ $ref, description: 'Paid out.' }, { $ref }]);
  const { title: _, ...schema } = amount;
  assert.deepEqual(components.schemas.Amount, { description: 'An amount.', ...schema });
});

test('what is shown instead is described where it stands, too', () => {
  const shown = { ...amount, description: 'An amount.' };
  const { a, components } = convert({
    info: {},
    a: { ...shownAs(shown), description: 'Paid out.' },
  });
  assert.deepEqual(a, { $ref: '#/components/schemas/Amount', description: 'Paid out.' });
  assert.match(JSON.stringify(components.schemas.Amount), /"An amount."/);
});
