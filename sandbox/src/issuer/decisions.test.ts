import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readIssuerConfig } from './config.ts';
import { DESTINATIONS, planPayout } from './destinations.ts';
import { MAX_ATTEMPTS, secondsToNextAttempt } from './notifications.ts';
import { createSignatureCheck, signRequest } from './signature.ts';

describe('payout destinations', () => {
  it('settle after ten seconds unless they are documented otherwise', () => {
    const plan = planPayout('12345678', 0);
    assert.deepEqual(plan, {
      secondsToOutcome: 10,
      failure: null,
      answers: true,
      comesBack: false,
    });
  });

  it('force the documented outcomes', () => {
    assert.equal(planPayout(DESTINATIONS.invalidAccount, 5).failure?.code, 'invalid_account');
    assert.equal(planPayout(DESTINATIONS.noAnswer, 0).answers, false);
    assert.equal(planPayout(DESTINATIONS.slow, 0).secondsToOutcome, 7_200);
    assert.equal(planPayout(DESTINATIONS.closedAtFirst, 0).failure?.code, 'account_closed');
    assert.equal(planPayout(DESTINATIONS.closedAtFirst, 1).failure, null);
    assert.equal(planPayout(DESTINATIONS.comesBackAtFirst, 0).comesBack, true);
    assert.equal(planPayout(DESTINATIONS.comesBackAtFirst, 1).comesBack, false);
  });
});

describe('waiting for the partner', () => {
  it('grows, never beyond an hour, and ends', () => {
    let before = 0;
    for (let attempts = 1; attempts < MAX_ATTEMPTS; attempts += 1) {
      const wait = secondsToNextAttempt(attempts) ?? 0;
      assert.ok(wait >= before && wait > 0 && wait <= 3_600);
      before = wait;
    }
    assert.equal(secondsToNextAttempt(MAX_ATTEMPTS), null);
  });
});

describe('signatures of requests', () => {
  const partner = { key_id: 'key', secret: 'a secret' };
  const now = Temporal.Instant.from('2026-11-21T10:00:00Z');
  const seconds = now.epochMilliseconds / 1_000;
  const sign = (path: string, body: string, timestamp = String(seconds), nonce = 'n-1') => {
    const request = { method: 'POST', path, rawBody: Buffer.from(body) };
    const headers = {
      'x-key-id': 'key',
      'x-timestamp': timestamp,
      'x-nonce': nonce,
      'x-signature': signRequest(partner.secret, request, timestamp, nonce),
    };
    return { ...request, headers };
  };
  const code = (work: () => void): string => {
    try {
      work();
    } catch (error) {
      return error instanceof Error && 'code' in error ? String(error.code) : 'another error';
    }
    return 'accepted';
  };

  it('are accepted once', () => {
    const check = createSignatureCheck(partner);
    const request = sign('/v1/wallets', '{}');
    assert.equal(
      code(() => check(request, now)),
      'accepted',
    );
    assert.equal(
      code(() => check(request, now)),
      'nonce_used',
    );
    assert.equal(
      code(() => check(request, now.add({ seconds: 299 }))),
      'nonce_used',
    );
  });

  it('do not hold for anything that was changed on the way', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (body, other) => {
        fc.pre(body !== other);
        const check = createSignatureCheck(partner);
        const changed = { ...sign('/v1/payouts', body), rawBody: Buffer.from(other) };
        assert.equal(
          code(() => check(changed, now)),
          'invalid_signature',
        );
      }),
      { numRuns: 50 },
    );
    const check = createSignatureCheck(partner);
    const otherPath = { ...sign('/v1/payouts', '{}'), path: '/v1/payouts?x=1' };
    assert.equal(
      code(() => check(otherPath, now)),
      'invalid_signature',
    );
    assert.equal(
      code(() => check({ ...sign('/v1', ''), method: 'GET' }, now)),
      'invalid_signature',
    );
  });

  it('hold for 300 seconds either way', () => {
    const check = createSignatureCheck(partner);
    const at = (offset: number, nonce: string) =>
      code(() => check(sign('/v1', '', String(seconds + offset), nonce), now));
    assert.equal(at(-300, 'a'), 'accepted');
    assert.equal(at(300, 'b'), 'accepted');
    assert.equal(at(-301, 'c'), 'invalid_timestamp');
    assert.equal(at(301, 'd'), 'invalid_timestamp');
  });
});

describe('the configuration', () => {
  it('names what is missing', () => {
    assert.throws(() => readIssuerConfig({}), /partner must be an object/);
    assert.throws(() => readIssuerConfig({ partner: {}, faster_payments: {} }), /data_dir/);
  });
});
