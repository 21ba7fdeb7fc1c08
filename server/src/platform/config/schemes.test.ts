import assert from 'node:assert/strict';
import { test } from 'node:test';
import { textOf } from '../../../test-support/documents.ts';
import { examineConfig } from './config.ts';
import { SCHEMES } from './schemes.ts';

test('the former name of the setting is read as the scheme, and said to be former', () => {
  const read = (env: Record<string, string>) => {
    const { config, findings } = examineConfig({ MODE: 'sandbox', ...env });
    const about = findings.filter(({ setting }) => setting === 'VRP_TYPE');
    return [config?.paymentScheme, ...about.map(({ level, says }) => `${level}: ${says}`)];
  };
  const says = 'is the former name of PAYMENT_SCHEME: set PAYMENT_SCHEME to';
  assert.deepEqual(read({}), ['commercial']);
  const sweeping = ['sweeping', `warning: ${says} sweeping in its place`];
  assert.deepEqual(read({ VRP_TYPE: 'Sweeping' }), sweeping);
  assert.deepEqual(read({ VRP_TYPE: 'Sweeping', PAYMENT_SCHEME: 'sweeping' }), sweeping);
  assert.deepEqual(read({ VRP_TYPE: 'Other', PAYMENT_SCHEME: 'sweeping' }), [
    undefined,
    `problem: ${says} bilateral in its place`,
  ]);
  assert.match(String(read({ VRP_TYPE: 'CVRP9' })[1]), /^problem: .* one of commercial, /);
});

test('each scheme stands in the rules, with whose they are, its fee, its use cases and its type', () => {
  const rules = textOf('docs/rules/consents.md');
  for (const [name, { rules: whose, fee, useCases, vrpType }] of Object.entries(SCHEMES)) {
    const uses = useCases.map((use) => `\`${use}\``).join(', ') || '-';
    assert.ok(
      rules.includes(`| \`${name}\` | ${whose} | ${fee} | ${uses} | \`${vrpType}\` |`),
      name,
    );
  }
});
