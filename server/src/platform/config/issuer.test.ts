import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ISSUER, MODULR } from '../../../test-support/settings/issuer.ts';
import { examineConfig, readConfig } from './config.ts';

test('Modulr needs its customer and webhook secrets of its length, and nobody else has them', () => {
  assert.equal(readConfig(ISSUER).issuer?.modulr, undefined);
  for (const [wrong, setting] of [
    [{ ...MODULR, MODULR_CUSTOMER_ID: '' }, 'MODULR_CUSTOMER_ID'],
    [{ ...ISSUER, MODULR_CUSTOMER_ID: 'C1' }, 'MODULR_CUSTOMER_ID'],
    [{ ISSUER: 'modulr', MODULR_CUSTOMER_ID: 'C1' }, 'ISSUER'],
    [{ ...MODULR, ISSUER_NOTIFICATION_SECRET: 'x' }, 'ISSUER_NOTIFICATION_SECRET'],
    [
      { ...MODULR, ISSUER_PREVIOUS_NOTIFICATION_SECRET: 'x' },
      'ISSUER_PREVIOUS_NOTIFICATION_SECRET',
    ],
  ] as [Record<string, string>, string][])
    assert.deepEqual(
      examineConfig(wrong).findings.map((one) => one.setting),
      [setting],
    );
  const { config, findings } = examineConfig({ ...MODULR, MODULR_WEBHOOK_SIGNATURE: 'none' });
  assert.ok(config);
  assert.deepEqual(
    findings.map(({ level, setting }) => [level, setting]),
    [['warning', 'MODULR_WEBHOOK_SIGNATURE']],
  );
});
