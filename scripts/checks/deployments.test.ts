import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VARIABLES } from '../../server/src/platform/config/config.ts';
import { chartFiles } from './deployments/chart.ts';
import { SET_BY_DEPLOYMENT } from './deployments/settings.ts';
import { DEPLOYED, deploymentsRule } from './deployments.ts';

const fileAt = (path: string) => ({
  path,
  text: readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
});
const CHART = [...chartFiles((path) => fileAt(path).text).keys()].map(fileAt);
const FILES = [
  ...[...DEPLOYED.keys()].map(fileAt),
  fileAt('deploy/kubernetes/network.yaml'),
  ...CHART,
];

test('deployments: a file that differs from the settings is found', () => {
  assert.deepEqual(deploymentsRule.check(FILES), []);
  for (const path of DEPLOYED.keys())
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

test('deployments: a file of the chart that differs from the manifests is found', () => {
  for (const { path } of CHART) {
    const files = FILES.map((one) => (one.path === path ? { path, text: `${one.text}#` } : one));
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
  for (const { path, text } of FILES.filter(({ path }) =>
    /example$|kubernetes\/settings.yaml$|values.yaml$/.test(path),
  ))
    for (const name of live)
      assert.match(
        text,
        new RegExp(`^ *(# )?${name}[=:]|^ *# {3}${name.toLowerCase()}( \\(required\\))?: `, 'm'),
        `${name} in ${path}`,
      );
});
