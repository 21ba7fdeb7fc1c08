import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VARIABLES } from '../../server/src/platform/config.ts';
import { SET_BY_DEPLOYMENT } from './deployments/settings.ts';
import { DEPLOYED, deploymentsRule } from './deployments.ts';

const FILES = [...DEPLOYED.keys()].map((path) => ({
  path,
  text: readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
}));

test('deployments: a file that differs from the settings is found', () => {
  assert.deepEqual(deploymentsRule.check(FILES), []);
  for (const { path } of FILES)
    for (const change of [
      (text: string) => text.replace('end of settings', ''),
      (text: string) => text.replaceAll(/issuer_secret/gi, 'x'),
      () => '',
    ]) {
      const files = FILES.map((one) =>
        one.path === path ? { path, text: change(one.text) } : one,
      );
      assert.deepEqual(
        deploymentsRule.check(files).map((found) => found.path),
        [path],
      );
    }
});

test('every setting of live mode stands in the files that an operator fills in, secrets as the names of files', () => {
  const live = Object.keys(VARIABLES).filter(
    (name) => !name.startsWith('SANDBOX_') && !SET_BY_DEPLOYMENT.includes(name),
  );
  for (const { path, text } of FILES.filter(({ path }) => /example$|settings.yaml$/.test(path)))
    for (const name of live)
      assert.match(
        text,
        new RegExp(`^ *(# )?${name}[=:]|^ *# {3}${name.toLowerCase()}( \\(required\\))?: `, 'm'),
        `${name} in ${path}`,
      );
});
