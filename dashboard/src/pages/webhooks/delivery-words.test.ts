import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Delivery } from '@recollect/sdk';
import { deliveryWords } from './delivery-words.ts';

function wordsOf(status: Delivery['status'], attempts: number, next: string | null = null): string {
  const delivery: Delivery = {
    id: 'del_1',
    endpoint_id: 'we_1',
    endpoint_url: 'https://shop.example/hooks',
    status,
    attempt_count: attempts,
    next_attempt_at: next,
    finished_at: null,
  };
  return deliveryWords(delivery, next);
}

test('a held delivery names only what its page offers: no Resend is shown for it', () => {
  const words = wordsOf('held', 0);
  assert.match(words, /Enable it, then replay/);
  assert.doesNotMatch(words, /resend/i);
});

test('a delivery that waits says when it is tried again, and one that failed how to send it', () => {
  assert.equal(wordsOf('pending', 0), 'It is being sent.');
  assert.match(wordsOf('pending', 1, 'tomorrow'), /after 1 attempt; next attempt tomorrow/);
  assert.match(wordsOf('failed', 2), /after 2 attempts; .* Resend it/);
  assert.doesNotMatch(wordsOf('failed', 0), /Resend/);
});
