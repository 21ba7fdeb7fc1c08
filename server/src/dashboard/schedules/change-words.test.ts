import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeReason } from './change-words.ts';

test('what a new consent is needed for is said in the customer’s limits, with dates as people write them', () => {
  const reason = changeReason({
    kind: 'beyond',
    refusal: 'more than £49.99 from 2026-01-10 to 2026-02-09',
    isAsking: false,
  });
  assert.equal(
    reason,
    'The customer’s consent does not cover this: more than £49.99 from 10 January 2026 to 9 February 2026. They get a new link; the old terms apply until they give consent.',
  );
});

test('a link that waits is not forgotten', () => {
  const asking = { refusal: 'more', isAsking: true } as const;
  assert.match(changeReason({ kind: 'beyond', ...asking }), /Their open link shows/);
  assert.match(changeReason({ kind: 'covered', isAsking: true }), /The open link is withdrawn/);
  assert.match(changeReason({ kind: 'covered', isAsking: false }), /from the next collection[.]$/);
  assert.match(changeReason({ kind: 'unconsented' }), /their existing link/);
});

test('a status has its own sentence, and so has a change that touches no terms', () => {
  const reasons = [
    ...(['none', 'pause', 'resume', 'cancel'] as const).map((status) =>
      changeReason({ kind: 'status', status }),
    ),
    changeReason({ kind: 'plain' }),
  ];
  assert.equal(new Set(reasons).size, 5);
  for (const reason of reasons) assert.match(reason, /^[A-Z].{15,}[.]$/);
});
