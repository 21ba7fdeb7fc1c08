import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';

// Monday 5 January 2026, 09:30 in London.
let h: Harness;
let http: HttpSide;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  http = await openHttp(h);
});
after(async () => {
  await http.close();
  await h.close();
});

const gbp = (value: number) => ({ value, currency: 'GBP' });

interface Listed {
  data: { id: string; amount: { value: number } }[];
  total_amount: { value: number };
}

/** Makes a merchant with a schedule of £10.00, one of £30.00, and one of £10.00 whose raise to £30.00 waits. */
async function merchantWithRaise() {
  const side = await h.merchant();
  const agreed = (n: number, pence: number) =>
    side.agreed({ customer: { phone: `+44770090010${n}` }, amount: gbp(pence) });
  const [low, high, raised] = [
    await agreed(1, 1_000),
    await agreed(2, 3_000),
    await agreed(3, 1_000),
  ];
  const { consent_for } = await side.update(raised.id, { amount: gbp(3_000) });
  assert.equal(consent_for, 'terms');
  const call = <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> =>
    http.call(method, path, body, side.merchantId).then((answer) => answer.body as T);
  return { low: low.id, high: high.id, raised: raised.id, call };
}

test('filters and sums of schedules are of the amounts that the rows show, also while a raise waits', async () => {
  const { low, high, raised, call } = await merchantWithRaise();
  for (const [query, ids] of [
    ['', [low, high, raised]],
    ['&amount_to=2999', [low]],
    ['&amount_from=3000', [high, raised]],
  ] as const) {
    const { data, total_amount } = await call<Listed>('GET', `/schedules?sum=true${query}`);
    assert.deepEqual(data.map(({ id }) => id).sort(), [...ids].sort(), query);
    const sum = data.reduce((pence, { amount }) => pence + amount.value, 0);
    assert.equal(total_amount.value, sum, query);
  }
});

test('a change of many by amount takes the schedules whose amount it changes, and says what the list sums up', async () => {
  const { low, call } = await merchantWithRaise();
  const filter = { amount_to: 2_999 };
  const change = { amount: { percent: 10 } };
  const preview = await call<{ id: string; amount_before: object; amount_after: object }>(
    'POST',
    '/schedule_changes',
    { filter, change, preview: true },
  );
  assert.deepEqual([preview.amount_before, preview.amount_after], [gbp(1_000), gbp(1_100)]);
  const lines = await call<{ data: { schedule_id: string }[] }>(
    'GET',
    `/schedule_changes/${preview.id}/lines`,
  );
  assert.deepEqual(
    lines.data.map(({ schedule_id }) => schedule_id),
    [low],
  );
});

test('a search finds a schedule by the amount that was asked for, and by the one that is collected', async () => {
  const { low, high, raised, call } = await merchantWithRaise();
  for (const [q, ids] of [
    ['10.00', [low, raised]],
    ['30.00', [high, raised]],
  ] as const) {
    const { data } = await call<Listed>('GET', `/schedules?q=${q}`);
    assert.deepEqual(data.map(({ id }) => id).sort(), [...ids].sort(), q);
  }
});
