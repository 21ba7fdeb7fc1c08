import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Carried } from './packages.ts';
import { imageComponent, sbomText } from './sbom.ts';

const SUM = Buffer.alloc(64, 7);
const PACKAGES: readonly Carried[] = [
  {
    path: 'node_modules/@a/b',
    name: '@a/b',
    version: '1.2.3',
    license: '(MIT OR CC0-1.0)',
    integrity: `sha512-${SUM.toString('base64')}`,
    uses: [],
  },
  {
    path: 'server',
    name: '@recollect/server',
    version: '0.2.0',
    license: 'Apache-2.0',
    integrity: null,
    uses: ['node_modules/@a/b'],
  },
];
const described = {
  name: 'recollect',
  version: '0.2.0',
  seconds: 1_796_000_000,
  packages: PACKAGES,
};

test('an SBOM names each package with its address, sum and licence, and what uses it', () => {
  const bom = JSON.parse(sbomText(described));
  assert.deepEqual([bom.bomFormat, bom.specVersion, bom.version], ['CycloneDX', '1.6', 1]);
  assert.equal(bom.metadata.timestamp, '2026-11-30T00:53:20.000Z');
  assert.match(
    bom.serialNumber,
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const [package_, workspace] = bom.components;
  assert.equal(package_.purl, 'pkg:npm/%40a/b@1.2.3');
  assert.deepEqual(package_.hashes, [{ alg: 'SHA-512', content: SUM.toString('hex') }]);
  assert.deepEqual(package_.licenses, [{ expression: '(MIT OR CC0-1.0)' }]);
  assert.deepEqual(workspace.licenses, [{ license: { id: 'Apache-2.0' } }]);
  assert.deepEqual(bom.dependencies[1], { ref: 'server', dependsOn: ['node_modules/@a/b'] });
});

test('the same packages and commit are the same bytes, and another package another serial number', () => {
  assert.equal(sbomText(described), sbomText(described));
  const [first] = PACKAGES;
  const other = {
    ...described,
    packages: first === undefined ? [] : [{ ...first, version: '1.2.4' }],
  };
  const serial = (text: string): string => JSON.parse(text).serialNumber;
  assert.notEqual(serial(sbomText(described)), serial(sbomText(other)));
});

test('an image is named by its digest, and one without a digest is refused', () => {
  const digest = 'ab'.repeat(32);
  const component = imageComponent(`docker.io/library/node:26-slim@sha256:${digest}`);
  assert.equal(component.purl, `pkg:docker/node@sha256%3A${digest}?tag=26-slim`);
  assert.throws(() => imageComponent('node:26-slim'), /no image with a tag and a digest/);
});
