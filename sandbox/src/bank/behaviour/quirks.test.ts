import assert from 'node:assert/strict';
import { after, before, beforeEach, test } from 'node:test';
import { request } from 'undici';
import { type Bench, START, startBench } from '../../../test-support/bank/bench.ts';
import { consentBody } from '../../../test-support/bank/bodies.ts';
import { connect, granted, pay, statusOf, type Tpp } from '../../../test-support/bank/tpp.ts';

let bench: Bench;
let tpp: Tpp;

before(async () => {
  bench = await startBench();
  tpp = await connect(bench);
});

beforeEach(async () => {
  await bench.control('POST', '/sandbox/reset', { now: START, running: false });
});

after(async () => {
  await tpp.close();
  await bench.stop();
});

const BARE = [
  'saltmarsh',
  'stops_at_acsc',
  'pennyfield',
  'omits_optional_fields',
  'tollgate',
  'bare_errors',
  'fogdale',
  'loses_requests',
  'hollowell',
  'loses_answers',
];

/** Runs `work` with a connection to one bank. */
async function at<T>(bankId: string, work: (tpp: Tpp) => Promise<T>): Promise<T> {
  const there = await connect(bench, bankId);
  try {
    return await work(there);
  } finally {
    await there.close();
  }
}

/** Returns status, body length and signature of a read to which a gateway may respond. */
async function bareRead(there: Tpp, bankId: string, consentId: string) {
  const url = `${bench.config.back_channel_url}/${bankId}/open-banking/v4.0/pisp/domestic-vrp-consents/${consentId}`;
  const answer = await request(url, {
    dispatcher: there.agent,
    headers: { authorization: `Bearer ${await there.clientToken()}` },
  });
  const body = await answer.body.text();
  return [answer.statusCode, body.length > 0, answer.headers['x-jws-signature'] !== undefined];
}

async function newConsent(there: Tpp, key: string): Promise<string> {
  const { body } = await there.call('POST', '/domestic-vrp-consents', { body: consentBody(), key });
  return body.Data.ConsentId;
}

test('Each loose bank has its behaviour, the documented ones have none, and each can be switched', async () => {
  const listed = await bench.control('GET', '/sandbox/banks');
  const loose = listed.body.banks?.flatMap(({ bank_id, behaviours }) =>
    behaviours.length > 0 ? [bank_id, ...behaviours] : [],
  );
  assert.deepEqual(loose, BARE);
  const set = await bench.control('PUT', '/sandbox/banks/northbank', {
    behaviours: ['bare_errors', 'stops_at_acsc'],
  });
  assert.deepEqual(set.body.behaviours, ['bare_errors', 'stops_at_acsc']);
  assert.equal((await bench.control('PUT', '/sandbox/banks/nowhere', {})).status, 404);
  for (const wrong of [
    { behaviours: ['moody'] },
    { next_calls: [{ call: 'GET /elsewhere', fault: 400 }] },
    { next_calls: [{ call: 'POST /domestic-vrps', fault: 200 }] },
    { next_calls: [{ call: 'POST /domestic-vrps', fault: 400, times: 0 }] },
  ]) {
    const refused = await bench.control('PUT', '/sandbox/banks/northbank', wrong);
    assert.equal(refused.status, 400, JSON.stringify(wrong));
  }
  await bench.control('POST', '/sandbox/reset', { now: START, running: false });
  const fresh = await bench.control('GET', '/sandbox/banks');
  assert.deepEqual(fresh.body.banks?.[0]?.behaviours, []);
});

test('Saltmarsh stops at ACSC, and the money arrives', async () => {
  await at('saltmarsh', async (there) => {
    const before = bench.creditor.received.length;
    const paid = await pay(there, await granted(there, 'alex'), 'salt-1');
    await bench.clock('2026-12-03T09:00:00Z');
    assert.deepEqual(await statusOf(there, paid.body.Data.DomesticVRPId), ['ACSC']);
    assert.equal(bench.creditor.received.length, before + 1);
    const rex = await granted(there, 'rex');
    await pay(there, rex, 'salt-2');
    await bench.clock('2026-12-03T09:00:00Z');
    const { body } = await there.call('GET', `/domestic-vrp-consents/${rex.consentId}`);
    assert.equal(body.Data.Status, 'CANC', 'the credit counts, not the status');
  });
});

test('Pennyfield leaves out what the standard does not demand', async () => {
  await at('pennyfield', async (there) => {
    const grant = await granted(there, 'cleo');
    const consent = await there.call('GET', `/domestic-vrp-consents/${grant.consentId}`);
    assert.deepEqual(Object.keys(consent.body.Data), [
      'ConsentId',
      'CreationDateTime',
      'Status',
      'StatusUpdateDateTime',
      'ControlParameters',
      'Initiation',
    ]);
    const paid = await pay(there, grant, 'penny-1');
    assert.deepEqual(Object.keys(paid.body.Data), [
      'DomesticVRPId',
      'ConsentId',
      'CreationDateTime',
      'Status',
      'StatusUpdateDateTime',
      'Initiation',
      'Instruction',
    ]);
    const path = `/domestic-vrps/${paid.body.Data.DomesticVRPId}/payment-details`;
    assert.deepEqual((await there.call('GET', path)).body.Data, {});
  });
});

test('Tollgate’s gateway answers every third call bare, with 400, 403, 404 and 502 in turn', async () => {
  await at('tollgate', async (there) => {
    const consentId = await newConsent(there, 'toll');
    const seen = [];
    for (let n = 0; n < 15; n += 1) seen.push(await bareRead(there, 'tollgate', consentId));
    const served = [200, true, true];
    const bare = (status: number) => [status, false, false];
    assert.deepEqual(
      seen,
      [400, 403, 404, 502, 400].flatMap((status) => [served, served, bare(status)]),
    );
  });
});

test('Fogdale loses every third request before it arrives, Hollowell the answer after it was done', async () => {
  for (const [bankId, isDone] of [
    ['fogdale', false],
    ['hollowell', true],
  ] as const) {
    await at(bankId, async (there) => {
      const count = async () => {
        const { body } = await bench.control('GET', '/sandbox/consents');
        return body.consents?.length ?? 0;
      };
      const before = await count();
      await newConsent(there, 'one');
      await newConsent(there, 'two');
      await assert.rejects(newConsent(there, 'three'));
      assert.equal(await count(), before + (isDone ? 3 : 2));
      await newConsent(there, 'three');
      assert.equal(await count(), before + 3, 'the same key makes one consent');
    });
  }
});

test('Faults can be ordered call by call, at any bank', async () => {
  const consentId = await newConsent(tpp, 'ordered');
  const call = 'GET /domestic-vrp-consents/:id';
  await bench.control('PUT', '/sandbox/banks/northbank', {
    next_calls: [
      { call, fault: 404, times: 2 },
      { call, fault: 502 },
      { call: 'DELETE /domestic-vrp-consents/:id', fault: 'lost_answer' },
    ],
  });
  const statuses = [];
  for (let n = 0; n < 4; n += 1) {
    const [status] = await bareRead(tpp, 'northbank', consentId);
    statuses.push(status);
  }
  assert.deepEqual(statuses, [404, 404, 502, 200]);
  await assert.rejects(tpp.call('DELETE', `/domestic-vrp-consents/${consentId}`));
  const gone = await tpp.call('GET', `/domestic-vrp-consents/${consentId}`);
  assert.equal(gone.body.Errors?.[0]?.ErrorCode, 'U011');
  const { body } = await bench.control('GET', '/sandbox/banks');
  assert.deepEqual(body.banks?.[0]?.next_calls, []);
});

test('One account can have each of these behaviours at a bank that has none', async () => {
  const behave = (behaviour: string) =>
    bench.control('PUT', '/sandbox/accounts/northbank/10000011', { behaviour });
  const grant = await granted(tpp, 'alex');
  const path = `/domestic-vrp-consents/${grant.consentId}`;
  const other = await newConsent(tpp, 'other');
  await behave('bare_errors');
  const seen = [];
  for (let n = 0; n < 3; n += 1) {
    await bareRead(tpp, 'northbank', other);
    seen.push((await bareRead(tpp, 'northbank', grant.consentId))[0]);
  }
  assert.deepEqual(seen, [200, 200, 400]);
  await behave('omits_optional_fields');
  assert.equal((await tpp.call('GET', path)).body.Data.DebtorAccount, undefined);
  await behave('loses_requests');
  await tpp.call('GET', path);
  await tpp.call('GET', path);
  await assert.rejects(tpp.call('GET', path));
  await behave('loses_answers');
  for (const id of ['a', 'b']) assert.equal((await pay(tpp, grant, id)).status, 201);
  await assert.rejects(pay(tpp, grant, 'c'));
  const { body } = await bench.control('GET', '/sandbox/payments');
  assert.equal(body.payments?.length, 3);
  await behave('stops_at_acsc');
  const paid = await pay(tpp, grant, 'd');
  await bench.clock(START);
  assert.deepEqual(await statusOf(tpp, paid.body.Data.DomesticVRPId), ['ACSC']);
});

test('A bank that refuses clients gives nobody a token, as to a key that it does not know', async () => {
  await bench.control('PUT', '/sandbox/banks/northbank', { behaviours: ['refuses_clients'] });
  await assert.rejects(tpp.clientToken(), { cause: { error: 'invalid_client' } });
  await bench.control('PUT', '/sandbox/banks/northbank', { behaviours: [] });
  assert.ok(await tpp.clientToken());
});
