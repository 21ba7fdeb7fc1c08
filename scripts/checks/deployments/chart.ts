import { VERSION } from '../../../server/src/platform/config/config.ts';
import { LIVE, PARTS } from './settings.ts';

const CHART = 'deploy/helm/recollect';
const IMAGE =
  '"{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"';

/** What a template has in place of a manifest's text. */
type Change = readonly [from: string | RegExp, to: string];

/** New settings replace the pods: the processes read them at their start. */
const SUM = 'checksum/settings: {{ toJson .Values.settings | sha256sum }}';

const SECRETS: readonly Change[] = [
  [/secretName: recollect$/m, 'secretName: {{ .Values.secrets }}'],
  ['secretName: recollect-banks', 'secretName: {{ .Values.banks }}'],
];

const ofRole = (role: string): readonly Change[] => [
  ...SECRETS,
  ['replicas: 2', `replicas: {{ .Values.replicas.${role} }}`],
  ['image: recollect', `image: ${IMAGE}`],
  [/resources:\n +requests: .*\n +limits: .*/, 'resources: {{ toJson .Values.resources }}'],
  [/( +)(prometheus.io\/port: .*)/, `$1$2\n$1${SUM}`],
];

/** The manifests that become templates. The namespace is helm's to make. */
const MANIFESTS: Readonly<Record<string, readonly Change[]>> = {
  ...Object.fromEntries(PARTS.map((part) => [part, ofRole(part)])),
  migrate: [
    ...SECRETS,
    // A Job is not changed: each revision has its own, beside which the pods wait for their tables.
    ['name: migrate\n  namespace: recollect', 'name: migrate-{{ .Release.Revision }}'],
    [/image: .*/, `image: ${IMAGE}`],
  ],
  network: [
    ['metadata.name: ingress-nginx', 'metadata.name: {{ .Values.network.ingress }}'],
    ['metadata.name: monitoring', 'metadata.name: {{ .Values.network.monitoring }}'],
    ['cidr: 10.20.0.0/24', 'cidr: {{ .Values.network.database }}'],
    ['port: 5432', 'port: {{ .Values.network.databasePort }}'],
  ],
  settings: [
    [
      / {2}# settings: [\s\S]*# end of settings/,
      '  {{- range $name, $value := .Values.settings }}\n  {{ $name }}: {{ $value | quote }}\n  {{- end }}',
    ],
  ],
};

/** Returns a manifest as a template. Throws if a text is not there that a value stands for. */
function templateOf(name: string, manifest: string): string {
  let text = manifest.replace(/^(#.*\n)+/, '');
  for (const [from, to] of MANIFESTS[name] ?? []) {
    const changed = text.replace(from, to);
    if (changed === text) throw new Error(`deploy/kubernetes/${name}.yaml lacks ${from}`);
    text = changed;
  }
  return `# Written by npm run generate -- deployments from deploy/kubernetes/${name}.yaml; do not edit.\n${text}`;
}

/** The versions of the chart and of the service are one. */
const chartText = (
  version: string,
): string => `# Written by npm run generate -- deployments; do not edit.
apiVersion: v2
name: recollect
description: Recurring collections over open banking
type: application
version: ${version}
appVersion: ${version}
kubeVersion: ">=1.30.0-0"
`;

const object = (properties: object, required: readonly string[] = Object.keys(properties)) => ({
  type: 'object',
  additionalProperties: false,
  properties,
  required,
});
const TEXT = { type: 'string', minLength: 1 };
const COUNT = { type: 'integer', minimum: 1 };

/** The schema of the values: a setting that is not filled in, or that there is not, is refused before anything is applied. */
function schemaText(): string {
  const open = LIVE.filter(({ isSecret }) => !isSecret);
  const settings = open.map(({ name, about, isRequired }) => [
    name,
    { ...(isRequired ? TEXT : { type: 'string' }), description: about },
  ]);
  const required = open.filter(({ isRequired }) => isRequired).map(({ name }) => name);
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    ...object(
      {
        image: object({ repository: TEXT, tag: { type: 'string' } }),
        replicas: object({ api: COUNT, portal: COUNT, engine: COUNT }),
        resources: { type: 'object' },
        secrets: TEXT,
        banks: TEXT,
        network: object({ ingress: TEXT, monitoring: TEXT, database: TEXT, databasePort: COUNT }),
        settings: object(Object.fromEntries(settings), required),
        global: { type: 'object' },
      },
      ['image', 'replicas', 'resources', 'secrets', 'banks', 'network', 'settings'],
    ),
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}

/** Returns the files of the chart that are written, by path, from the manifests as `read` returns them. */
export function chartFiles(read: (path: string) => string, version = VERSION): Map<string, string> {
  const templates = Object.keys(MANIFESTS).map((name) => {
    const manifest = read(`deploy/kubernetes/${name}.yaml`);
    return [`${CHART}/templates/${name}.yaml`, templateOf(name, manifest)] as const;
  });
  return new Map([
    [`${CHART}/Chart.yaml`, chartText(version)],
    [`${CHART}/values.schema.json`, schemaText()],
    ...templates,
  ]);
}
