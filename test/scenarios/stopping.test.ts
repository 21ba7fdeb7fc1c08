import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { startService } from '../../server/src/app/wiring/run.ts';
import { readConfig } from '../../server/src/platform/config/config.ts';
import { makeLog } from '../../server/src/platform/log/log.ts';
import { testDatabase } from '../../server/test-support/database.ts';
import { newMerchant } from '../../server/test-support/service.ts';

for (const wait of [true, false])
  test(`a service that stops ends the move of the clock, its engine, and says no more: wait ${wait}`, async () => {
    const [database, folder] = await Promise.all([
      testDatabase(),
      mkdtemp(join(tmpdir(), 'recollect-stop-')),
    ]);
    const lines: string[] = [];
    const log = makeLog('error', { write: (line) => void lines.push(line) });
    const config = readConfig({
      MODE: 'sandbox',
      PORT: '0',
      DATA_DIR: folder,
      DATABASE_URL: database.url,
      OPERATOR_PORT: '0',
      SANDBOX_BANK_PORT: '0',
      SANDBOX_BANK_PAGES_PORT: '0',
      SANDBOX_ISSUER_PORT: '0',
    });
    const running = await startService(config, log);
    try {
      const { apiKey } = await newMerchant(running);
      const move = request(`${running.config.baseUrl}/sandbox/clock/advance`, {
        method: 'POST',
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ by: 'P4Y', wait }),
      }).then(async ({ statusCode, body }) => ({ statusCode, text: await body.text() }));
      const clock = running.sandbox?.clock;
      const start = running.platform.clock.now();
      const isUnderWay = () =>
        clock?.isHeld() === true && Temporal.Instant.compare(clock.now(), start) > 0;
      for (let waits = 0; waits < 6_000 && !isUnderWay(); waits++) await sleep(5);
      assert.ok(isUnderWay());
      await running.close();
      const { statusCode, text } = await move;
      assert.ok(statusCode === 503 || statusCode === 200, text);
      await sleep(1_500); // longer than an engine that still runs would stay silent
      const unexpected = lines.filter((line) => !line.includes('The service is being stopped.'));
      assert.deepEqual(unexpected, []);
    } finally {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    }
  });
