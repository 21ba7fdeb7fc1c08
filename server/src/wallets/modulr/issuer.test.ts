import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openModulr } from '../../../test-support/modulr/bench.ts';
import { DESTINATIONS } from '../../../test-support/modulr/books.ts';
import {
  assertConform,
  type Exchange,
  modulrConformance,
  noModulrDocument,
} from '../../../test-support/modulr/document.ts';
import { NAMES } from '../../../test-support/modulr/routes.ts';
import { type IssuerBench, issuerContract } from '../issuer-contract.ts';

let exchanges: readonly Exchange[] = [];
issuerContract('the Modulr connector', startFakeModulr);

const skip = noModulrDocument;
test('all that was sent to Modulr, and its answers, conform to its document', { skip }, () => {
  assertConform(exchanges);
  const [first] = exchanges;
  assert.ok(first);
  const check = modulrConformance();
  for (const wrong of [
    { ...first, path: '/wallets' },
    { ...first, body: { currency: 'POUNDS' } },
    { ...first, answer: { id: 1, balance: {} } },
    { ...first, status: 204 },
    { ...first, query: new URLSearchParams({ statuses: 'ACTIVE' }) },
  ])
    assert.equal(check(wrong).length > 0, true, JSON.stringify(wrong));
});

async function startFakeModulr(): Promise<IssuerBench> {
  let now = Temporal.Instant.from('2026-11-21T10:00:00Z');
  const { fake, issuer, close } = await openModulr(() => now);
  exchanges = fake.exchanges;
  const destination = (accountNumber: string) => ({
    sortCode: '200000',
    accountNumber,
    name: 'Fernhill Broadband Ltd',
  });
  const payer = { name: 'Ada Smith', sortCode: '401276', accountNumber: '11223344' };
  return {
    issuer,
    notifications: fake.sent,
    tellsEndToEndIds: false,
    today: () => now.toZonedDateTimeISO('Europe/London').toPlainDate(),
    async passTime(seconds) {
      now = now.add({ seconds });
      fake.books.settle();
    },
    async payIn({ accountNumber }, amountPence) {
      const account = [...fake.books.accounts.values()].find(
        (one) => one.accountNumber === accountNumber,
      );
      if (account !== undefined)
        fake.books.credit(account, amountPence, { type: 'PI_FAST', payer });
    },
    forge: ({ headers, raw }) => [
      { headers: {}, raw },
      { headers: { ...headers, date: 'Mon, 25 Jul 2016 16:36:07 GMT' }, raw },
      { headers: { ...headers, 'x-mod-nonce': 'another' }, raw },
      { headers, raw: Buffer.from('{}') },
      {
        headers: {
          ...headers,
          authorization: String(headers.authorization).replace('hmac-sha512', 'hmac-sha1'),
        },
        raw,
      },
    ],
    destinations: {
      settles: destination('12345678'),
      invalid: destination(DESTINATIONS.invalid),
      noAnswer: destination(DESTINATIONS.noAnswer),
    },
    payees: {
      match: destination('12345678'),
      close_match: { ...destination(NAMES.close), name: 'Fernhill' },
      no_match: destination(NAMES.other),
      unavailable: destination(NAMES.notEnrolled),
    },
    close,
  };
}
