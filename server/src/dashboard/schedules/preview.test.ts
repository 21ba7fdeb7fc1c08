import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { asked } from '../../../test-support/books.ts';
import type { MerchantSide } from '../../../test-support/harness.ts';
import { openDashboard, type TestDashboard } from '../../../test-support/slices/dashboard.ts';
import { ApiError } from '../../platform/values/errors.ts';
import type { UpdateBody } from '../../schedules/request/request.ts';
import { previewChange } from './preview.ts';
import type { ChangePreview, TermsPreview } from './view.ts';

const RUNS = 25;
const gbp = (value: number) => ({ value, currency: 'GBP' });

let d: TestDashboard;
let other: MerchantSide;
before(async () => {
  d = await openDashboard('2026-01-05T09:30:00Z');
  other = await d.h.merchant({ timeZone: 'America/New_York' });
});
after(() => d.close());

const terms = (body: object, merchantId?: string): Promise<TermsPreview> =>
  d.post<TermsPreview>('/api/schedules/preview', { amount: gbp(4999), ...body }, merchantId);
const change = (id: string, body: object): Promise<ChangePreview> =>
  d.post<ChangePreview>(`/api/schedules/${id}/preview`, body);
const datesOf = ({ occurrences }: TermsPreview): string[] =>
  occurrences.map((occurrence) => occurrence.due_date.slice(0, 16));

async function countRows(): Promise<object | null> {
  return d.h.db.read((tx) =>
    tx.row(
      `SELECT (SELECT count(*) FROM schedules) AS schedules, (SELECT count(*) FROM schedule_terms) AS terms,
              (SELECT count(*) FROM consents) AS consents, (SELECT count(*) FROM events) AS events,
              (SELECT count(*) FROM customers) AS customers, (SELECT count(*) FROM state_changes) AS changes`,
    ),
  );
}

test('terms are previewed with twelve dates, and why one is not the day asked for', async () => {
  const shown = await terms({ frequency: { type: 'monthly', day: 31 } });
  assert.equal(shown.frequency_text, 'every month on the 31st (or the last day of shorter months)');
  assert.equal(shown.occurrences.length, 12);
  assert.deepEqual(datesOf(shown).slice(0, 3), [
    '2026-01-31T09:00',
    '2026-02-28T09:00',
    '2026-03-31T08:00',
  ]);
  assert.equal(shown.occurrences[0]?.reason, null);
  assert.match(
    shown.occurrences[1]?.reason ?? '',
    /February has 28 days, so we collect on the 28th/,
  );
  assert.deepEqual(shown.occurrences[1]?.amount, gbp(4999));
});

test('a preview ends where the terms end, and keeps the merchant’s own calendar', async () => {
  const ended = await terms({ frequency: 'weekly', end_date: '2026-01-20T09:00:00Z' });
  assert.deepEqual(datesOf(ended), ['2026-01-12T09:00', '2026-01-19T09:00']);
  const yearly = { frequency: { type: 'yearly', day: 15 }, start_date: '2026-03-15T12:00:00Z' };
  assert.equal((await terms(yearly)).frequency_text, 'every year on 15 March');
  const away = await terms({ frequency: 'daily' }, other.merchantId);
  assert.equal(datesOf(away)[0], '2026-01-05T14:00');
});

test('the dates previewed are those of the schedule that is then created', async () => {
  const body = {
    frequency: { type: 'monthly', day: 30, interval: 2 },
    start_date: '2026-02-11T23:30:00Z',
  } as const;
  const shown = await terms(body);
  const created = await d.h.create(body);
  assert.equal(created.next_payment_date, shown.occurrences[0]?.due_date);
});

test('what creating would refuse is refused in a preview, field by field', async () => {
  const { status, body } = await d.refused('POST', '/api/schedules/preview', {
    amount: { value: 0, currency: 'EUR' },
    frequency: { type: 'weekly', day: 9 },
    start_date: '2020-01-01T00:00:00Z',
    end_date: 'tomorrow',
    customer: 'x',
  });
  assert.equal(status, 400);
  assert.deepEqual(Object.keys(body.details ?? {}).sort(), [
    'amount.currency',
    'amount.value',
    'customer',
    'end_date',
    'frequency.day',
    'start_date',
  ]);
  const none = { amount: gbp(1), frequency: 'yearly', end_date: '2026-01-05T10:00:00Z' };
  const nothing = await d.refused('POST', '/api/schedules/preview', {
    ...none,
    frequency: { type: 'yearly', day: 4 },
  });
  assert.match(nothing.body.details?.end_date ?? '', /leaves no occurrence/);
  const missing = await d.refused('POST', '/api/schedules/preview', { amount: gbp(1) });
  assert.deepEqual(missing.body.details, { frequency: 'is required' });
});

test('a change within the consent needs nothing; one beyond it needs a new consent, and says why', async () => {
  const { id } = await d.h.agreed();
  const less = await change(id, { amount: gbp(3000) });
  assert.equal(less.needs, 'nothing');
  assert.match(less.reason, /within what the customer agreed to/);
  assert.equal(less.occurrences[0]?.amount?.value, 3000);
  const more = await change(id, { amount: gbp(5999) });
  assert.equal(more.needs, 'new_consent');
  assert.match(more.reason, /more than £49\.99, the most for one payment\. They get a new link/);
  assert.equal(more.occurrences[0]?.amount?.value, 5999);
  const often = await change(id, { frequency: 'weekly' });
  assert.equal(often.needs, 'new_consent');
  assert.match(often.reason, /more than £49\.99 from \d+ \w+ 2026 to \d+ \w+ 2026/);
  const same = await change(id, { amount: gbp(4999), description: 'Else' });
  assert.equal(same.needs, 'nothing');
  assert.match(same.reason, /no new consent is needed/);
  await d.h.update(id, { amount: gbp(5999) });
  const again = await change(id, { amount: gbp(6999) });
  assert.match(again.reason, /Their open link shows the new terms/);
  assert.match((await change(id, { amount: gbp(4999) })).reason, /The open link is withdrawn/);
});

test('while a consent that the customer agreed to is set up, a preview is refused as the change is', async () => {
  const { id } = await d.h.agreed();
  const { consent_url: url } = await d.h.update(id, { amount: gbp(5999) });
  d.h.issuer.down = true;
  assert.equal(await d.h.decide(url), 'finishing');
  for (const pence of [4000, 6999]) {
    const path = `/api/schedules/${id}/preview`;
    const { body } = await d.refused('POST', path, { amount: gbp(pence) });
    assert.equal(body.code, 'request_in_progress');
  }
  d.h.issuer.down = false;
});

test('before the first consent any terms need nothing new', async () => {
  const { id } = await d.h.create();
  const raised = await change(id, { amount: gbp(99_999) });
  assert.equal(raised.needs, 'nothing');
  assert.match(raised.reason, /their existing link shows the new terms/);
});

test('a status is previewed too, and refused where the update would be', async () => {
  const { id } = await d.h.agreed();
  const paused = await change(id, { status: 'paused' });
  assert.deepEqual([paused.needs, paused.occurrences], ['nothing', []]);
  assert.match((await change(id, { status: 'cancelled' })).reason, /cannot be undone/);
  const pending = await d.h.create();
  const early = await d.refused('POST', `/api/schedules/${pending.id}/preview`, {
    status: 'active',
  });
  assert.equal(early.body.code, 'consent_required');
  await d.h.update(id, { status: 'cancelled' });
  const late = await d.refused('POST', `/api/schedules/${id}/preview`, { amount: gbp(1) });
  assert.equal(late.body.code, 'schedule_cancelled');
  assert.deepEqual((await change(id, { status: 'cancelled' })).occurrences, []);
});

test('another merchant’s schedule does not exist, and wrong fields are named', async () => {
  const { id } = await d.h.create();
  const path = `/api/schedules/${id}/preview`;
  const foreign = await d.refused('POST', path, { amount: gbp(1) }, other.merchantId);
  assert.equal(foreign.status, 404);
  const wrong = await d.refused('POST', path, { amount: gbp(-1), status: 'gone' });
  assert.deepEqual(Object.keys(wrong.body.details ?? {}).sort(), ['amount.value', 'status']);
});

test('nothing is written by a preview', async () => {
  const { id } = await d.h.agreed();
  const before = await countRows();
  await terms({ frequency: 'daily' });
  await change(id, { amount: gbp(99_999) });
  await change(id, { status: 'cancelled' });
  assert.deepEqual(await countRows(), before);
});

const aChange: fc.Arbitrary<UpdateBody> = fc.record(
  {
    amount: fc.constantFrom(gbp(2000), gbp(4999), gbp(5000), gbp(9999)),
    frequency: fc.constantFrom(
      'daily' as const,
      'weekly' as const,
      { type: 'monthly', day: 10 } as const,
      { type: 'monthly', day: 28 } as const,
      { type: 'monthly', interval: 2 } as const,
      { type: 'quarterly', day: 10 } as const,
      { type: 'yearly' } as const,
    ),
    start_date: fc.constantFrom('2026-01-10T09:00:00Z', '2026-02-01T09:00:00Z'),
    end_date: fc.constantFrom(null, '2026-01-06T09:00:00Z', '2026-09-01T09:00:00Z'),
    description: fc.constantFrom('One', 'Two'),
    status: fc.constantFrom('active' as const, 'paused' as const),
  },
  { requiredKeys: [] },
);

/** Returns the result of a call, or the code of its refusal. */
async function outcomeOf<T>(call: Promise<T>): Promise<T | string> {
  return call.catch((error: unknown) => {
    if (error instanceof ApiError) return `${error.code}: ${error.message}`;
    throw error;
  });
}

test('a preview and the update that follows it agree, whatever was changed before', async () => {
  const { h } = d;
  await fc.assert(
    fc.asyncProperty(
      fc.boolean(),
      fc.array(aChange, { minLength: 1, maxLength: 4 }),
      async (isAgreed, changes) => {
        const { id } = isAgreed ? await h.agreed() : await h.create();
        for (const body of changes) {
          const preview = await outcomeOf(
            h.db.forMerchant(h.merchantId, (tx) =>
              previewChange(h.service.schedules, asked(h, tx), id, body),
            ),
          );
          const before = await versionsOf(id);
          const updated = await outcomeOf(h.update(id, body));
          if (typeof preview === 'string' || typeof updated === 'string') {
            assert.equal(preview, updated);
            continue;
          }
          const after = await versionsOf(id);
          const asksAnew = after.terms !== before.terms && isAgreed && after.live !== after.terms;
          assert.equal(preview.needs, asksAnew ? 'new_consent' : 'nothing');
          if (updated.status === 'active' && preview.needs === 'nothing')
            assert.equal(updated.next_payment_date, preview.occurrences[0]?.due_date);
          if (after.terms !== before.terms && preview.occurrences.length > 0)
            assert.equal(updated.amount.value, preview.occurrences[0]?.amount?.value);
        }
      },
    ),
    { numRuns: RUNS },
  );
});

async function versionsOf(id: string): Promise<{ terms: number; live: number | null }> {
  const row = await d.h.db.read((tx) =>
    tx.row<{ terms: number; live: number | null }>(
      'SELECT terms_version AS terms, live_version AS live FROM schedules WHERE schedule_id = $1',
      [id],
    ),
  );
  assert.ok(row);
  return row;
}
