import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { satisfies } from 'semver';

interface Lock {
  packages: Record<string, { engines?: { node?: string } | string[]; optional?: boolean }>;
}

const read = (path: string): unknown =>
  JSON.parse(readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'));

/** The oldest of each line that `engines` allows, and the newest of those that we know. */
const SUPPORTED = ['22.22.0', '22.99.0', '24.11.0', '25.0.0', '26.10.0'];

test('npm ci warns of no package on a Node that we support', () => {
  const { engines } = read('package.json') as { engines: { node: string } };
  const { packages } = read('package-lock.json') as Lock;
  for (const version of SUPPORTED) {
    assert.ok(satisfies(version, engines.node), version);
    const warned = Object.entries(packages).flatMap(([path, { engines: wanted }]) => {
      const range = Array.isArray(wanted) ? undefined : wanted?.node;
      return range === undefined || satisfies(version, range) ? [] : [`${path}: ${range}`];
    });
    assert.deepEqual(warned, [], version);
  }
  for (const version of ['20.20.0', '22.21.1', '24.10.0'])
    assert.ok(!satisfies(version, engines.node), version);
});
