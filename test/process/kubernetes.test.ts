import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { VERSION } from '../../server/src/platform/config/config.ts';
import { type Manifest, manifestsIn, plainManifests, reachOf } from './kubernetes.ts';

const CHART = fileURLToPath(new URL('../../deploy/helm/recollect', import.meta.url));
const HAS_HELM = spawnSync('helm', ['version']).status === 0;

const workloads = plainManifests().filter(({ kind }) => kind === 'Deployment' || kind === 'Job');

test('Kubernetes: a pod is nobody, can become nobody else, and writes to memory alone', () => {
  assert.equal(workloads.length, 4);
  for (const { metadata, spec } of workloads) {
    const pod = spec.template.spec;
    const { runAsNonRoot, runAsUser, seccompProfile } = pod.securityContext;
    assert.deepEqual(
      [pod.automountServiceAccountToken, runAsNonRoot, runAsUser, seccompProfile],
      [false, true, 10001, { type: 'RuntimeDefault' }],
      metadata.name,
    );
    for (const { securityContext, volumeMounts, envFrom, resources } of pod.containers) {
      assert.deepEqual(securityContext, {
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      });
      const written = volumeMounts.filter(({ readOnly }) => readOnly !== true);
      assert.deepEqual(written, [{ name: 'tmp', mountPath: '/tmp' }]);
      assert.deepEqual(envFrom, [{ configMapRef: { name: 'recollect' } }], 'no secret in it');
      assert.deepEqual(Object.keys(resources.requests), ['cpu', 'memory']);
      assert.deepEqual(Object.keys(resources.limits), ['memory']);
    }
  }
  const [account] = plainManifests().filter(({ kind }) => kind === 'ServiceAccount');
  assert.equal(account?.automountServiceAccountToken, false);
});

const NAMES_AND_DATABASE = [53, 53, 5432];
const PARTNERS = [443, 465, 587];
const OPERATORS = 'monitoring:4004';
const REQUESTS = 'ingress-nginx:4000';

test('Kubernetes: each role reaches what it calls, and is reached by who calls it, and no more', () => {
  const reach = workloads.map(({ metadata, spec }) => {
    const { isClosed, out, into } = reachOf(plainManifests(), spec.template.metadata.labels);
    assert.ok(isClosed, metadata.name);
    return [metadata.name, [...out].sort((a, b) => a - b), [...into].sort()];
  });
  const serving = [...new Set([...NAMES_AND_DATABASE, ...PARTNERS])].sort((a, b) => a - b);
  assert.deepEqual(reach, [
    ['api', serving, [REQUESTS, OPERATORS]],
    ['portal', serving, [REQUESTS, OPERATORS]],
    ['engine', serving, [OPERATORS]],
    ['migrate', [53, 5432], [OPERATORS]],
  ]);
});

/** Manifests by kind and name, without what the chart alone has: names and images by its values, and the sum of its settings. */
function inSubstance(manifests: readonly Manifest[]): Record<string, object> {
  const all = manifests.map(({ metadata: { namespace: _, ...metadata }, ...rest }) => {
    const text = JSON.stringify({ metadata, ...rest })
      .replaceAll(/"image":"[^"]+"/g, '"image":""')
      .replaceAll(/,"checksum[/]settings":"\w{64}"/g, '')
      .replace('"name":"migrate-1"', '"name":"migrate"');
    const one = JSON.parse(text) as Manifest;
    return [`${one.kind} ${one.metadata.name}`, one] as const;
  });
  return Object.fromEntries(all);
}

/** Renders the chart with a value for each setting that is required; `more`: further arguments. */
function rendered(values: string, ...more: string[]): Manifest[] {
  const args = ['template', 'recollect', CHART, '--values', values, ...more];
  return manifestsIn(execFileSync('helm', args, { encoding: 'utf8' }));
}

async function tryHelm(t: TestContext): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-helm-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const values = join(folder, 'values.json');
  const plain = plainManifests();
  const blank = Object.entries(plain.find(({ kind }) => kind === 'ConfigMap')?.data ?? {});
  const filled = blank.filter(([, value]) => value === '').map(([name]) => [name, `of ${name}`]);
  await writeFile(values, JSON.stringify({ settings: Object.fromEntries(filled) }));

  const wanted = plain.map((one) =>
    one.kind === 'ConfigMap'
      ? { ...one, data: { ...one.data, ...Object.fromEntries(filled) } }
      : one,
  );
  assert.deepEqual(inSubstance(rendered(values)), inSubstance(wanted));

  const images = JSON.stringify(rendered(values, '--set', 'image.repository=r.fern/recollect'));
  assert.equal(images.split(`"image":"r.fern/recollect:${VERSION}"`).length, 5);
  const refused = spawnSync('helm', ['template', CHART, '--set', 'settings.BASE_URI=x']);
  assert.equal(refused.status, 1);
  assert.match(String(refused.stderr), /BASE_URI/);
  assert.match(String(refused.stderr), /FIRM_NAME.*minLength/);
}

if (HAS_HELM)
  test(
    'the chart renders to the manifests, and refuses settings that there are not or that lack a value',
    tryHelm,
  );
else
  test('the chart is not rendered: a helm in the path renders it', () => {
    assert.ok(!HAS_HELM);
  });
