import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CLOSED, checkContract, STANDARD } from './contracts.ts';

const KEY = 'pay_1-a1';
const consent = (initiation: object = {}) => ({
  Data: {
    Initiation: {
      UltimateCreditor: { Name: 'Marks and Spencer' },
      CreditorAccount: {
        SchemeName: 'x',
        Identification: '08999966374958',
        Name: 'Marks & Spencer',
      },
      ...initiation,
    },
  },
});

test('a closed contract takes what it names, and nothing else', () => {
  checkContract(CLOSED, consent(), KEY);
  const refused: [body: object, key: string, path: RegExp][] = [
    [consent({ UltimateCreditor: { Name: 'Marks & Spencer' } }), KEY, /UltimateCreditor\.Name$/],
    [consent({ UltimateCreditor: { Name: 'Dŵr Cymru' } }), KEY, /UltimateCreditor\.Name$/],
    [consent({ Colour: 'green' }), KEY, /Initiation\.Colour$/],
    [consent({ RemittanceInformation: { Unstructured: [] } }), KEY, /Unstructured$/],
    [consent({ CreditorAccount: { Identification: '08-99-99' } }), KEY, /Identification$/],
    [consent(), 'a/b', /x-idempotency-key/],
  ];
  for (const [body, key, path] of refused) {
    const isThat = (error: unknown): boolean => path.test((error as { path?: string }).path ?? '');
    assert.throws(() => checkContract(CLOSED, { ...body }, key), isThat, String(path));
    checkContract(STANDARD, { ...body }, key);
  }
});
