import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import {
  type PortalVisitor,
  portalVisitor,
  termsVersionOf,
  textOf,
} from '../../test-support/portal-visitor.ts';
import { changeOccurrence } from '../schedules/change/change-occurrence.ts';

let bench: PortalBench;
let customer: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
});
after(() => bench.close());

test('the customer is shown who asks, how much, when, within which limits and on which terms', async () => {
  const { token } = await customer.waiting({ end_date: '2027-03-02T10:00:00Z' });
  const answer = await customer.get(token);
  assert.equal(answer.statusCode, 200);
  const text = textOf(answer);
  for (const shown of [
    'Fernhill Broadband would like your permission to collect payments',
    'Full fibre 300 and line rental',
    '£34.99 every month on the 31st Or the last day of shorter months.',
    'First payment Tuesday 31 March 2026',
    'Last payment by 2 March 2027',
    'Thursday 30 April 2026 April has 30 days, so we collect on the 30th £34.99',
    'Up to £34.99 per payment.',
    'Up to £34.99 per month, counted from 31 March 2026.',
    'may still go through',
    'Fernhill Broadband Ltd',
    '12 Weavers Row Sheffield S1 2AB',
    'help@ fernhill.example',
    '1. Fernhill Broadband Ltd collects',
    'Alder Bank',
    'Birch &#38; Sons',
    'Decline',
    'This link works until Monday 9 March 2026',
  ])
    assert.ok(text.includes(shown), `${shown}\n${text}`);
});

test('without a bank, or with an unknown one, the page comes again with a message', async () => {
  const { token } = await customer.waiting();
  for (const chosen of ['', 'nobody']) {
    const answer = await customer.choose(token, chosen);
    assert.equal(answer.statusCode, 400);
    assert.match(answer.body, /<fieldset aria-describedby="bank-error">/);
    assert.match(textOf(answer), /Choose your bank to continue\./);
  }
});

test('a bank or an issuer that does not answer changes nothing; the link can be tried again', async () => {
  const w = await customer.waiting();
  const chosen = { bank_id: 'alder', terms_version: termsVersionOf(await customer.get(w.token)) };
  for (const partner of [bench.issuer, bench.banks.alder]) {
    partner.isDown = true;
    const answer = await customer.post(`${w.token}/bank`, chosen);
    partner.isDown = false;
    assert.equal(answer.statusCode, 503);
    assert.match(
      textOf(answer),
      /Alder Bank is not responding at the moment\. Nothing has been agreed/,
    );
    assert.match(answer.body, /value="alder"\schecked/);
  }
  assert.equal(await customer.statusOf(w), 'pending_consent');
  await customer.arrive(await customer.depart(w.token, 'birch'));
  assert.equal(await customer.statusOf(w), 'active');
});

test('a bank that has no such period is asked for a longer one only after the customer has seen it', async () => {
  const w = await customer.waiting({ frequency: { type: 'weekly', interval: 2, day: 2 } });
  const offer = await customer.get(w.token);
  assert.match(textOf(offer), /Up to £34\.99 per fortnight/);
  const chosen = { bank_id: 'birch', terms_version: termsVersionOf(offer) };
  for (const limits_of of [undefined, '', 'alder', 'nobody']) {
    const answer = await customer.post(`${w.token}/bank`, {
      ...chosen,
      ...(limits_of === undefined ? {} : { limits_of }),
    });
    assert.equal(answer.statusCode, 409);
    assert.match(
      textOf(answer),
      /Birch &#38; Sons counts its limits differently .* Up to £104\.97 per month/,
    );
    assert.match(answer.body, /name="limits_of" value="birch"/);
    assert.match(answer.body, /value="birch"\schecked/);
  }
  const gone = await customer.post(`${w.token}/bank`, { ...chosen, limits_of: 'birch' });
  assert.equal(gone.statusCode, 303);
  assert.match(gone.headers.location ?? '', /birch\.example/);
});

test('after the yes the customer goes back to the merchant with the schedule and its status', async () => {
  const w = await customer.waiting({}, { returnUrl: 'https://shop.example/thanks?order=7' });
  const answer = await customer.arrive(await customer.depart(w.token));
  assert.equal(answer.statusCode, 303);
  assert.equal(
    answer.headers.location,
    `https://shop.example/thanks?order=7&schedule_id=${w.scheduleId}&status=active`,
  );
  assert.equal(await customer.statusOf(w), 'active');
});

test('a merchant without a return address gets a closing page', async () => {
  const w = await customer.waiting();
  const answer = await customer.arrive(await customer.depart(w.token));
  assert.equal(answer.headers.location, `/consent/${w.token}/done`);
  assert.match(
    textOf(await customer.get(`${w.token}/done`)),
    /Thank you, you’re all set.*next payment is due on Tuesday 31 March 2026/,
  );
});

test('the closing page passes over a first occurrence that was skipped before the consent', async () => {
  const w = await customer.waiting();
  const asked = { now: bench.platform.clock.now(), merchantId: w.merchantId };
  const first = '2026-03-31T08:00:00Z';
  const skip = true;
  await bench.platform.db.transaction((tx) =>
    changeOccurrence(bench.schedules, { ...asked, tx }, w.scheduleId, first, { skip }),
  );
  await customer.arrive(await customer.depart(w.token));
  assert.match(
    textOf(await customer.get(`${w.token}/done`)),
    /next payment is due on Thursday 30 April 2026/,
  );
});

test('the same answer of a bank twice is decided once, and leads to the same place', async () => {
  const w = await customer.waiting({}, { returnUrl: 'https://shop.example/' });
  const state = await customer.depart(w.token);
  const [first, second] = [await customer.arrive(state), await customer.arrive(state)];
  assert.equal(first.headers.location, second.headers.location);
});

test('an answer in the query is taken over by a button, without a script', async () => {
  const w = await customer.waiting();
  const state = await customer.depart(w.token);
  const page = await customer.get(`callback?error=access_denied&state=${state}`);
  assert.equal(page.statusCode, 200);
  assert.match(page.body, /<button class="main">Finish<\/button>/);
  const value = /name="fragment" value="([^"]*)"/.exec(page.body)?.[1] ?? '';
  const answer = await customer.post('callback', {
    fragment: value.replaceAll('&#38;', '&').replaceAll('&#61;', '='),
  });
  assert.equal(answer.statusCode, 303);
  assert.equal(await customer.statusOf(w), 'cancelled');
});

test('a no at the bank ends the set-up, and the customer goes back with status cancelled', async () => {
  const w = await customer.waiting({}, { returnUrl: 'https://shop.example/' });
  const answer = await customer.arrive(await customer.depart(w.token), 'error=access_denied');
  assert.match(String(answer.headers.location), /status=cancelled/);
  assert.match(textOf(await customer.get(w.token)), /You declined/);
});

test('an answer that does not hold agrees to nothing, and leads back to the link', async () => {
  const w = await customer.waiting();
  const answer = await customer.arrive(await customer.depart(w.token), 'code=forged');
  assert.equal(answer.statusCode, 400);
  assert.match(answer.body, new RegExp(`href="/consent/${w.token}"`));
  assert.equal(await customer.statusOf(w), 'pending_consent');
  assert.equal((await customer.get(w.token)).statusCode, 200);
});

test('an answer that belongs to nobody is 404, and tells nothing', async () => {
  for (const fragment of ['', 'state=x', `state=${'a'.repeat(65)}&code=good`]) {
    const answer = await customer.post('callback', { fragment });
    assert.equal(answer.statusCode, 404);
    assert.match(textOf(answer), /We could not match your bank’s response/);
  }
});

test('a bank that is silent when the customer is back can be asked again with the same answer', async () => {
  const w = await customer.waiting();
  const state = await customer.depart(w.token);
  bench.banks.alder.isDown = true;
  const answer = await customer.arrive(state);
  bench.banks.alder.isDown = false;
  assert.equal(answer.statusCode, 503);
  assert.match(answer.body, /name="fragment" value="code&#61;good&#38;state&#61;/);
  assert.equal((await customer.arrive(state)).statusCode, 303);
  assert.equal(await customer.statusOf(w), 'active');
});

test('while the wallet cannot be opened the customer is told that it is being finished', async () => {
  const w = await customer.waiting({}, { returnUrl: 'https://shop.example/' });
  const state = await customer.depart(w.token);
  bench.issuer.isDown = true;
  const answer = await customer.arrive(state);
  bench.issuer.isDown = false;
  assert.equal(answer.headers.location, `/consent/${w.token}/done`);
  assert.match(textOf(await customer.get(`${w.token}/done`)), /Nearly there.*Check again/);
});

test('a no on the portal is asked for on a page of its own, and then taken', async () => {
  const w = await customer.waiting({}, { returnUrl: 'https://shop.example/' });
  assert.match(textOf(await customer.get(`${w.token}/decline`)), /Decline this request\?/);
  assert.equal(await customer.statusOf(w), 'pending_consent');
  const answer = await customer.post(`${w.token}/decline`);
  assert.equal(answer.statusCode, 303);
  assert.equal(
    answer.headers.location,
    `https://shop.example/?schedule_id=${w.scheduleId}&status=cancelled`,
  );
  assert.equal(await customer.statusOf(w), 'cancelled');
  const again = await customer.post(`${w.token}/decline`);
  assert.equal(again.headers.location, `/consent/${w.token}`);
});

test('a link that has run out is gone, and takes no decision any more', async () => {
  const w = await customer.waiting();
  const { clock } = bench.platform;
  const start = clock.at;
  clock.at = start.add({ hours: 24 * 7 });
  const page = await customer.get(w.token);
  const tried = await customer.post(`${w.token}/bank`, { bank_id: 'alder' });
  const declined = await customer.post(`${w.token}/decline`);
  clock.at = start;
  assert.equal(page.statusCode, 410);
  assert.match(textOf(page), /This link has expired/);
  assert.equal(tried.headers.location, `/consent/${w.token}`);
  assert.equal(declined.headers.location, `/consent/${w.token}`);
});

test('a request that the merchant took back is gone', async () => {
  const w = await customer.waiting();
  await bench.update(w.merchantId, w.scheduleId, { status: 'cancelled' });
  const page = await customer.get(w.token);
  assert.equal(page.statusCode, 410);
  assert.match(textOf(page), /Fernhill Broadband has withdrawn this request/);
});

test('a bank that has not confirmed yet is no yes: the customer can check again, or go again', async () => {
  const w = await customer.waiting({}, { returnUrl: 'https://shop.example/' });
  const state = await customer.depart(w.token);
  bench.banks.alder.says = 'AWAU';
  const answer = await customer.arrive(state);
  bench.banks.alder.says = 'AUTH';
  assert.equal(answer.headers.location, `/consent/${w.token}/done`);
  assert.match(
    textOf(await customer.get(`${w.token}/done`)),
    /Your bank has not confirmed yet.*try again/,
  );
  await customer.arrive(await customer.depart(w.token));
  assert.equal(await customer.statusOf(w), 'active');
});

test('a bank that refuses for good is told apart from a customer who does', async () => {
  const w = await customer.waiting();
  const state = await customer.depart(w.token);
  bench.banks.alder.says = 'RJCT';
  await customer.arrive(state);
  bench.banks.alder.says = 'AUTH';
  assert.equal(await customer.statusOf(w), 'cancelled');
  assert.match(textOf(await customer.get(w.token)), /Your bank did not accept this/);
});
