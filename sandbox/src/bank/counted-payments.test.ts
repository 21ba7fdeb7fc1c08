import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isoInstant } from '../clock.ts';
import { openStore } from '../store.ts';
import { BRANDS } from './behaviour/brands.ts';
import { seedAccounts } from './books/books.ts';
import type { ConsentRequest } from './books/consent-request.ts';
import { insertConsent } from './books/consents.ts';
import { type ControlParameters, countedSince } from './books/control-parameters.ts';
import { countedPayments } from './books/payments.ts';
import { SCHEMA } from './schema.ts';
import type { PeriodicLimit } from './wire/periods.ts';

const FIRST = Temporal.PlainDate.from('2026-01-15');
const TODAY = Temporal.PlainDate.from('2027-07-10');

const parameters = (...periodicLimits: PeriodicLimit[]): ControlParameters => ({
  maximumIndividualPence: 100,
  periodicLimits,
  validFrom: FIRST,
  validTo: null,
});
const limit = (type: PeriodicLimit['type'], alignment: PeriodicLimit['alignment']) => ({
  type,
  alignment,
  amountPence: 100,
});

test('what was paid counts from the first day of the longest period that today belongs to', () => {
  const since = (...limits: PeriodicLimit[]) => String(countedSince(parameters(...limits), TODAY));
  assert.equal(since(limit('Day', 'Calendar')), '2027-07-10');
  assert.equal(since(limit('Day', 'Calendar'), limit('Month', 'Calendar')), '2027-07-01');
  assert.equal(since(limit('Month', 'Consent')), '2027-06-15');
  assert.equal(since(limit('Year', 'Consent'), limit('Day', 'Calendar')), '2027-01-15');
  const early = FIRST.subtract({ days: 1 });
  assert.equal(String(countedSince(parameters(limit('Year', 'Consent')), early)), String(early));
});

test('of a consent with years of daily payments, only those of the periods under way are read', () => {
  const store = openStore(':memory:', SCHEMA);
  const began = FIRST.toZonedDateTime('Europe/London').toInstant();
  seedAccounts(store, began);
  const [northbank] = BRANDS;
  assert.ok(northbank);
  const request = { Data: { ControlParameters: {} } } as unknown as ConsentRequest;
  const consentId = insertConsent(store, northbank, request, began);
  for (let day = FIRST, n = 0; Temporal.PlainDate.compare(day, TODAY) <= 0; n++) {
    const at = day.toZonedDateTime({ timeZone: 'Europe/London', plainTime: '00:00' }).toInstant();
    store.run(
      `INSERT INTO payments (payment_id, bank, consent_id, account_number, behaviour, status, created_at, updated_at,
         amount_pence, instruction_id, debited, request)
       VALUES (:id, 'northbank', :consentId, '10000011', 'normal', 'ACCC', :at, :at, 1, :id, 1, '{}')`,
      { id: `p${n}`, consentId, at: isoInstant(at) },
    );
    day = day.add({ days: 1 });
  }
  const counted = countedPayments(store, consentId, TODAY.subtract({ days: 2 }));
  assert.deepEqual(
    counted.map(({ day }) => String(day)),
    ['2027-07-08', '2027-07-09', '2027-07-10'],
  );
  store.close();
});
