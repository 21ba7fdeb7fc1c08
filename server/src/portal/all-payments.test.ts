import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import { type PortalVisitor, portalVisitor, textOf } from '../../test-support/portal-visitor.ts';

let bench: PortalBench;
let customer: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
});
after(() => bench.close());

async function another(merchantId: string, changes: object): Promise<string> {
  const { token } = await bench.schedule(merchantId, changes);
  await customer.arrive(await customer.depart(token));
  return token;
}

test('a customer sees everything agreed with this merchant, each with a link to its page, and nobody else’s', async () => {
  const { merchantId, token } = await customer.granted({ description: 'Gym <membership>' });
  const second = await another(merchantId, { description: 'Towels' });
  await another(merchantId, {
    description: 'Locker of another',
    customer: { type: 'phone', value: '+447700900555' },
  });
  await bench.schedule(merchantId, { description: 'Not agreed yet' });
  await customer.granted({ description: 'Elsewhere' });

  const page = await customer.get(`${token}/all`);
  assert.equal(page.statusCode, 200);
  const words = textOf(page);
  assert.match(words, /Open Banking payments/);
  // Both were made at one moment of the bench's clock, so either may come first.
  assert.match(words, /Towels £34\.99 every month [^£]*Active/);
  assert.match(words, /Gym &#60;membership&#62; £34\.99 every month [^£]*Active/);
  assert.doesNotMatch(words, /Locker|Not agreed|Elsewhere/);
  assert.ok(page.body.includes(`/consent/${second}"`));
  assert.match((await customer.get(token)).body, new RegExp(`/consent/${token}/all"`));
});

test('a link that is not granted does not lead to the customer’s other agreements', async () => {
  const { merchantId } = await customer.granted({ description: 'Gym membership' });
  const { token } = await bench.schedule(merchantId, { description: 'Waiting' });
  const page = await customer.get(`${token}/all`);
  assert.equal(page.statusCode, 303);
  assert.equal(page.headers.location, `/consent/${token}`);
});
