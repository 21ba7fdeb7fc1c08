import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type PortalBench, portalBench } from '../../test-support/portal-fixture.ts';
import { type PortalVisitor, portalVisitor, textOf } from '../../test-support/portal-visitor.ts';
import { AuthorisationDenied, NO_TOKENS } from '../banks/bank.ts';
import { MODULR_TRAITS } from '../banks/modulr/connector.ts';

let bench: PortalBench;
let customer: PortalVisitor;
let stranger: PortalVisitor;
before(async () => {
  bench = await portalBench();
  customer = portalVisitor(bench);
  stranger = portalVisitor(bench);
  // Birch is reached through an aggregator: its customers come back with nothing.
  Object.assign(bench.banks.birch, {
    traits: MODULR_TRAITS,
    authorisationUrl: async () => 'https://birch.example/authorize',
    completeAuthorisation: async () => {
      if (bench.banks.birch.says === 'RJCT') throw new AuthorisationDenied('no');
      return NO_TOKENS;
    },
  });
});
after(() => bench.close());

/** What the page of the return posts. */
const answerIn = ({ body }: { body: string }): string =>
  (/name="fragment" value="([^"]*)"/.exec(body)?.[1] ?? '').replaceAll(/&#(\d+);/g, (_, code) =>
    String.fromCodePoint(Number(code)),
  );

test('a browser that left for such a bank completes its own journey, whatever the address says', async () => {
  const w = await customer.waiting();
  assert.equal((await customer.choose(w.token, 'birch')).statusCode, 303);
  const page = await customer.get('callback?id=E210000004');
  assert.match(textOf(page), /Finish/);
  const answer = await customer.post('callback', { fragment: answerIn(page) });
  assert.equal(answer.statusCode, 303);
  assert.equal(await customer.statusOf(w), 'active');
});

test('a customer who declined there is told so when they come back', async () => {
  const w = await customer.waiting();
  await customer.choose(w.token, 'birch');
  bench.banks.birch.says = 'RJCT';
  await customer.post('callback', { fragment: answerIn(await customer.get('callback')) });
  bench.banks.birch.says = 'AUTH';
  assert.equal(await customer.statusOf(w), 'cancelled');
});

test('a browser that did not leave brings nothing, and nothing is granted', async () => {
  const w = await customer.waiting();
  await customer.choose(w.token, 'birch');
  const page = await stranger.get('callback');
  assert.equal(answerIn(page), '');
  await stranger.post('callback', { fragment: '' });
  assert.equal(await customer.statusOf(w), 'pending_consent');
});

test('the answer of another bank is not mixed up with such a journey', async () => {
  const w = await customer.waiting();
  await customer.choose(w.token, 'birch');
  assert.equal(answerIn(await customer.get('callback?state=other&code=c')), 'state=other&code=c');
});

test('a customer whose account was given is not offered a bank that cannot ask for it', async () => {
  const account = { type: 'bank_account', sort_code: '040004', account_number: '70872490' };
  const w = await customer.waiting({ customer: account });
  const page = await customer.get(w.token);
  assert.ok(page.body.includes('Alder Bank'));
  assert.ok(!page.body.includes('Birch'));
  const forced = await customer.choose(w.token, 'birch');
  assert.notEqual(forced.statusCode, 303);
  assert.equal(await customer.statusOf(w), 'pending_consent');
});

test('a customer of whom too little is known is not offered a bank that must be told who they are', async (t) => {
  const { traits } = bench.banks.birch;
  Object.assign(bench.banks.birch, { traits: { ...traits, needsContact: true } });
  t.after(() => Object.assign(bench.banks.birch, { traits }));
  const phone = { type: 'phone', value: '+447700900461' };
  const w = await customer.waiting({ customer: phone });
  assert.ok(!(await customer.get(w.token)).body.includes('Birch'));
  const forced = await customer.choose(w.token, 'birch');
  assert.notEqual(forced.statusCode, 303);
  const known = await customer.waiting({ customer: { ...phone, name: 'Ada Moss' } });
  assert.ok((await customer.get(known.token)).body.includes('Birch'));
});
