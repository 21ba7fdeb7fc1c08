import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, beforeEach, describe, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type IdTokenFault, idToken, type Journey } from '../../../test-support/id-tokens.ts';
import { type Reply, startStubBank } from '../../../test-support/stub-bank.ts';
import { BankRefused, BankUnavailable, type ConsentRequest, type Grant } from '../bank.ts';
import { CallBudget } from '../call-budget.ts';
import { DEFAULT_SCHEME } from './config.ts';
import { openBankingBank } from './connector.ts';

/** Where single banks differ from each other, by their published contracts and guides: what each of them is answered and sent. */
const stub = await startStubBank();
let clock = Temporal.Now.instant();
const bank = await openBankingBank(stub.config, () => clock);
after(async () => {
  await bank.close();
  await stub.close();
});
beforeEach(() => {
  stub.received.length = 0;
  stub.replies.length = 0;
  stub.tokenReplies.length = 0;
  clock = Temporal.Now.instant();
});

const boundTo = new X509Certificate(stub.config.tls.cert).fingerprint256;
const grant: Grant = {
  accessToken: 'customer-token',
  refreshToken: 'refresh-1',
  expiresAt: clock.add({ hours: 1 }),
  boundTo,
};
const ended = (): Grant => ({ ...grant, expiresAt: clock });
const journey: Journey = {
  bankConsentId: 'vrp-1',
  state: 'state-1',
  nonce: 'nonce-1',
  redirectUri: 'https://rp.test/cb',
  code: 'code-1',
};
const terms: ConsentRequest = {
  idempotencyKey: 'con_1',
  creditor: { sortCode: '089999', accountNumber: '66374958', name: 'Wallet' },
  ultimateCreditorName: 'Fernhill Broadband Ltd',
  customerReference: 'cus_1',
  reference: 'SCH7K2M4P9Q',
  currency: 'GBP',
  controlParameters: {
    validFrom: clock,
    validTo: null,
    maximumAmountPence: 4999,
    periodicLimits: [{ periodType: 'Month', alignment: 'Consent', amountPence: 4999 }],
  },
};
const consentReply = (data: object = {}, besides: object = {}): Reply => ({
  status: 201,
  body: { Data: { ConsentId: 'vrp-1', Status: 'AWAU', ...data }, ...besides },
});
const order = (initiation: string) => ({
  idempotencyKey: 'pay_1-a1',
  bankConsentId: 'vrp-1',
  initiation,
  instructionId: 'pay_1-a1',
  endToEndId: 'pay_1-a1',
  amountPence: 4999,
  currency: 'GBP' as const,
});
const paymentReply = (data: object = {}, besides: object = {}): Reply => ({
  status: 201,
  body: {
    Data: {
      DomesticVRPId: 'p-1',
      ConsentId: 'vrp-1',
      Status: 'RCVD',
      Instruction: { InstructionIdentification: 'pay_1-a1' },
      ...data,
    },
    ...besides,
  },
});
const initiation = await made(bank);

async function made(at: typeof bank): Promise<string> {
  stub.replies.push(consentReply());
  return (await at.createConsent(terms)).initiation;
}

/** Comes back from the bank, whose tokens say these things. */
async function login(claims: IdTokenFault['claims'] = {}, tokens: object = {}): Promise<Grant> {
  const id = await idToken(stub, journey, { claims });
  const fragment = new URLSearchParams({ code: 'code-1', state: 'state-1', id_token: id });
  const body = { access_token: 't', token_type: 'Bearer', id_token: id, ...tokens };
  stub.tokenReplies.push({ status: 200, body });
  return bank.completeAuthorisation({ ...journey, fragment: fragment.toString() });
}

const asksForCustomer = (error: unknown): boolean =>
  error instanceof BankRefused && error.error.code === 'reauthentication_required';

describe('who signs in, and for whom', () => {
  test('the request may be meant for the bank’s group', async () => {
    const requestAudience = 'https://group.test';
    const other = await openBankingBank({ ...stub.config, requestAudience });
    const request = new URL(await other.authorisationUrl(journey)).searchParams.get('request');
    assert.equal(decodeJwt(request ?? '').aud, requestAudience);
    await other.close();
  });

  test('the subject is the customer or the consent, and how they signed in may be missing', async () => {
    for (const claims of [
      { sub: 'vrp-1' },
      { sub: 'customer' },
      { acr: 'other' },
      { acr: undefined },
    ])
      assert.equal((await login(claims)).accessToken, 't', JSON.stringify(claims));
  });
});

describe('tokens', () => {
  test('without a refresh token the access token is used to its end, and then the customer is asked', async () => {
    const first = await login({}, { expires_in: 7200 });
    assert.equal(first.refreshToken, null);
    assert.equal(await bank.refresh(first), first);
    const before = stub.tokens();
    await assert.rejects(bank.refresh({ ...first, expiresAt: clock }), asksForCustomer);
    assert.equal(stub.tokens(), before);
  });

  test('an answer to a refresh may have no id_token, or one without nonce and auth_time', async () => {
    const id_token = await idToken(stub, journey, { claims: { nonce: undefined } });
    for (const more of [{}, { id_token }]) {
      const body = { access_token: 'renewed', token_type: 'Bearer', ...more };
      stub.tokenReplies.push({ status: 200, body });
      assert.equal((await bank.refresh(ended())).accessToken, 'renewed');
    }
  });

  test('a new refresh token takes the place of the used one', async () => {
    const body = { access_token: 'renewed', token_type: 'bearer', refresh_token: 'refresh-2' };
    stub.tokenReplies.push({ status: 200, body });
    assert.equal((await bank.refresh(ended())).refreshToken, 'refresh-2');
  });

  test('nothing is renewed while somebody else renews it', async () => {
    const before = stub.tokens();
    const old = ended();
    assert.equal(await bank.refresh(old, async () => false), old);
    assert.equal(stub.tokens(), before);
  });

  test('a token that was used, revoked or evicted needs the customer, in whatever words', async () => {
    const code = 'bad_request.refresh_token.evicted';
    for (const body of [
      { error: 'invalid_grant' },
      { error: code },
      { code, message: 'evicted' },
      { Code: 'bad_request.refresh_token.invalid', Id: 'x', Message: 'm', Errors: [] },
    ]) {
      stub.tokenReplies.push({ status: 400, body });
      await assert.rejects(bank.refresh(ended()), asksForCustomer, JSON.stringify(body));
    }
    stub.tokenReplies.push({ status: 400, body: { Code: 'bad_request.consent_status' } });
    await assert.rejects(bank.refresh(ended()), BankUnavailable);
  });

  test('an access token of 4,871 characters is sent whole', async () => {
    const accessToken = 'a'.repeat(4871);
    stub.replies.push(paymentReply());
    await bank.submitPayment({ ...grant, accessToken }, order(initiation));
    assert.equal(stub.received[0]?.headers.authorization, `Bearer ${accessToken}`);
  });
});

describe('what is sent', () => {
  test('each call has an interaction id of its own, a UUID of version 4', async () => {
    stub.replies.push(paymentReply(), paymentReply());
    for (const _ of [1, 2]) await bank.submitPayment(grant, order(initiation));
    const ids = stub.received.map(({ headers }) => String(headers['x-fapi-interaction-id']));
    assert.equal(new Set(ids).size, 2);
    for (const id of ids)
      assert.match(id, /^[0-9a-f]{8}-([0-9a-f]{4}-)4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });

  test('a bank that refuses the interaction types gets none, in the consent and its payments', async () => {
    const scheme = { ...DEFAULT_SCHEME, psuInteractionTypes: null };
    const silent = await openBankingBank({ ...stub.config, scheme });
    for (const [at, has] of [
      [silent, false],
      [bank, true],
    ] as const) {
      stub.received.length = 0;
      const fixed = await made(at);
      stub.replies.push(paymentReply());
      // The setting may change while the consent lives.
      await bank.submitPayment(grant, order(fixed));
      const said = stub.received.map(({ body }) => body.includes('PSUInteractionType'));
      assert.deepEqual(said, [has, has]);
    }
    await silent.close();
  });
});

describe('what is answered', () => {
  test('a bare 401, 405, 406, 415 or 429 ends nothing and makes nothing known', async () => {
    for (const status of [401, 405, 406, 415, 429]) {
      const bare: Reply = { status, signed: false };
      stub.replies.push(bare);
      await assert.rejects(bank.submitPayment(grant, order(initiation)), BankUnavailable);
      stub.replies.push(bare, bare);
      await assert.rejects(bank.readConsent('vrp-1'), BankUnavailable);
      stub.replies.length = 0;
      stub.replies.push(bare, bare);
      await assert.rejects(bank.deleteConsent('vrp-1'), BankUnavailable);
      stub.replies.length = 0;
    }
  });

  test('a key that the bank calls a duplicate leaves the outcome open', async () => {
    const said = { Code: '422', Message: 'Duplicate Idempotency key' };
    for (const body of [
      { ...said, Errors: [{ ErrorCode: 'U029', Message: said.Message }] },
      { ...said, Errors: [] },
      undefined,
    ]) {
      stub.replies.push({ status: 422, body }, { status: 422, body });
      await assert.rejects(bank.submitPayment(grant, order(initiation)), BankUnavailable);
      await assert.rejects(bank.createConsent(terms), BankUnavailable);
    }
  });

  test('Links and Meta, the debtor’s name and account are the bank’s to leave out, and no link is followed', async () => {
    const account = {
      SchemeName: 'UK.OBIE.SortCodeAccountNumber',
      Identification: '99100110000011',
    };
    const elsewhere = { Links: { Self: 'https://other-bank.test/elsewhere' }, Meta: {} };
    for (const [data, besides, name] of [
      [{ DebtorAccount: account }, {}, ''],
      [{ DebtorAccount: { ...account, Name: 'n'.repeat(350) } }, elsewhere, 'n'.repeat(350)],
    ] as const) {
      stub.replies.push(consentReply(data, besides));
      assert.equal((await bank.createConsent(terms)).debtor?.name, name);
    }
    const Refund = { Account: { ...account, Name: 'A Customer' } };
    const wrong = { ...account, Identification: 'not the one' };
    stub.replies.push(paymentReply({ Refund, DebtorAccount: wrong }, elsewhere), paymentReply());
    await bank.submitPayment(grant, order(initiation));
    await bank.readPayment('p-1');
    assert.ok(stub.received.every(({ path }) => path.startsWith('/pisp/')));
    assert.equal(stub.received.length, 4);
  });

  test('a status that is new to us is no outcome', async () => {
    for (const Status of ['PATC', 'INFA', 'INCO', 'ACFC', 'NEWS']) {
      stub.replies.push(paymentReply({ Status }));
      assert.equal((await bank.submitPayment(grant, order(initiation))).outcome, 'pending');
    }
  });

  test('a bank that says that it takes no more is left alone until it does, though it has answered', async () => {
    const budget = (): CallBudget =>
      new CallBudget({ now: () => clock } as never, clock.add({ hours: 1 }), { bank });
    const said = async (ratelimit: string, status = 201): Promise<number | undefined> => {
      stub.replies.push({ ...paymentReply(), status, headers: { ratelimit } });
      await bank.submitPayment(grant, order(initiation)).catch(() => null);
      return budget().restsUntil?.since(clock).total('seconds');
    };
    assert.equal(await said('"default";r=50;t=30'), undefined);
    assert.equal(await said('nonsense'), undefined);
    assert.equal(await said('"default";r=0;t=30'), 30);
    clock = clock.add({ seconds: 20 });
    assert.equal(budget().restsUntil?.since(clock).total('seconds'), 10);
    clock = clock.add({ seconds: 11 });
    assert.equal(budget().restsUntil, null);
    assert.equal(await said('"day";r=7;t=90, "default"; r=0; t=5', 429), 5);
    clock = clock.add({ seconds: 6 });
    assert.equal(await said('"default";r=0;t=999999'), 3600, 'no longer than an hour at a time');
  });
});
