import assert from 'node:assert/strict';
import { it } from 'node:test';
import { IssuerUnavailable } from './issuer.ts';
import { RateLimiter } from './rate-limiter.ts';

it('lets no more requests through in any period than the issuer allows', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const limiter = new RateLimiter({ requests: 6, per: Temporal.Duration.from({ seconds: 4 }) });
  const sent: number[] = [];
  const all = Array.from({ length: 15 }, () => limiter.turn().then(() => sent.push(Date.now())));
  for (let ms = 0; ms < 20_000; ms += 100) {
    await Promise.resolve();
    t.mock.timers.tick(100);
  }
  await Promise.all(all);
  for (const [n, at] of sent.entries())
    if (n >= 6) assert.ok(at - (sent[n - 6] ?? 0) >= 4_000, `request ${n} came too early`);
});

it('refuses what would wait for more than ten seconds, and says that it was not sent', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] });
  const limiter = new RateLimiter({ requests: 3, per: Temporal.Duration.from({ seconds: 10 }) });
  await Promise.all([limiter.turn(), limiter.turn()]);
  const waiting = Promise.all([limiter.turn(), limiter.turn()]);
  const isNotSent = (error: unknown) => error instanceof IssuerUnavailable && error.notSent;
  await assert.rejects(limiter.turn(), isNotSent);
  t.mock.timers.tick(20_000);
  await waiting;
});
