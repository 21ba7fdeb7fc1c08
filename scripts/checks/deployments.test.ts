import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { VARIABLES } from '../../server/src/platform/config/config.ts';
import { SET_BY_DEPLOYMENT } from './deployments/settings.ts';
import { DEPLOYED } from './deployments.ts';

const fileAt = (path: string) => ({
  path,
  text: readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'),
});
const FILES = [...DEPLOYED.keys()].map(fileAt);

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
