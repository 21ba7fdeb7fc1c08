import assert from 'node:assert/strict';
import { test } from 'node:test';
import { edgeOf } from '../platform/state/state-machine.ts';
import {
  CONSENT_STATUSES,
  CONSENTS,
  type ConsentStatus,
  endedAsAgreed,
  isOpen,
  mayCollect,
  SETUP_FAILURES,
} from './consent.ts';

/** The allowed transitions. Duplicated on purpose, so that a change of the table has to be deliberate. */
const ALLOWED: Record<ConsentStatus, ConsentStatus[]> = {
  pending: ['authorising', 'denied', 'dropped', 'expired', 'pending', 'rejected'],
  authorising: ['authorised', 'authorising', 'denied', 'dropped', 'expired', 'pending', 'rejected'],
  authorised: ['dropped', 'granted', 'rejected'],
  granted: ['replaced', 'revoked'],
  denied: [],
  expired: [],
  rejected: [],
  revoked: [],
  replaced: [],
  dropped: [],
};

const STATUSES = Object.keys(ALLOWED) as ConsentStatus[];

test('every status has its line in the table', () => {
  assert.deepEqual([...CONSENT_STATUSES].sort(), [...STATUSES].sort());
});

for (const from of STATUSES)
  test(`a consent that is ${from} goes where the table says, and nowhere else`, () => {
    for (const to of STATUSES)
      if (ALLOWED[from].includes(to)) assert.doesNotThrow(() => edgeOf(CONSENTS, from, to), to);
      else
        assert.throws(() => edgeOf(CONSENTS, from, to), {
          message: `consents cannot go from ${from} to ${to}`,
        });
  });

test('every edge says what takes a consent along it', () => {
  for (const { why } of CONSENTS.edges) assert.match(why, /^[a-z].{8,}/);
});

test('a granted consent ends and is never granted again', () => {
  const reached = new Set<ConsentStatus>();
  const visit = (status: ConsentStatus): void => {
    for (const next of ALLOWED[status])
      if (!reached.has(next)) {
        reached.add(next);
        visit(next);
      }
  };
  visit('granted');
  assert.deepEqual([...reached].sort(), ['replaced', 'revoked']);
});

test('the customer can still decide before the answer, and not after it', () => {
  assert.deepEqual(STATUSES.filter(isOpen), ['pending', 'authorising']);
});

test('each failed set-up is an end of its own, with a code and a sentence', () => {
  for (const [code, { status, message }] of Object.entries(SETUP_FAILURES)) {
    assert.match(code, /^consent_/);
    assert.deepEqual(ALLOWED[status], []);
    assert.match(message, /^The .*\.$/);
  }
});

test('payments are sent under a consent that is granted, or was replaced by another one, and under no other', () => {
  assert.deepEqual(STATUSES.filter(mayCollect), ['granted', 'replaced']);
});

test('a consent has ended as agreed once its last moment lies behind, and never where none was agreed', () => {
  const parameters = {
    validFrom: '2026-01-01T00:00:00Z',
    maximumAmountPence: 100,
    periodicLimits: [],
  };
  const validTo = '2026-06-30T09:00:00Z';
  const last = Temporal.Instant.from(validTo);
  const ended = (to: string | null, now: Temporal.Instant): boolean =>
    endedAsAgreed({ ...parameters, validTo: to }, now);
  assert.equal(ended(validTo, last.subtract({ milliseconds: 1 })), false);
  assert.equal(ended(validTo, last), false);
  assert.equal(ended(validTo, last.add({ milliseconds: 1 })), true);
  assert.equal(ended(null, last), false);
  assert.equal(endedAsAgreed(null, last), false);
});

test('the event of a failed set-up says what happened', () => {
  assert.deepEqual(
    Object.entries(SETUP_FAILURES).map(([code, { status }]) => [code, status]),
    [
      ['consent_denied', 'denied'],
      ['consent_expired', 'expired'],
      ['consent_rejected', 'rejected'],
      ['consent_account_mismatch', 'rejected'],
    ],
  );
  for (const { message } of Object.values(SETUP_FAILURES)) assert.match(message, /^The .+[.]$/);
});
