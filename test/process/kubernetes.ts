import { readFileSync } from 'node:fs';
import { parseAllDocuments } from 'yaml';

/** A manifest, as far as it is checked. */
export interface Manifest {
  kind: string;
  metadata: { name: string; namespace?: string; annotations?: Record<string, string> };
  automountServiceAccountToken?: boolean;
  data?: Record<string, string>;
  spec: {
    template: { metadata: Manifest['metadata'] & { labels: Labels }; spec: PodSpec };
    podSelector: Selector;
    policyTypes: string[];
    ingress?: { from: { namespaceSelector: Selector }[]; ports: Port[] }[];
    egress?: { ports: Port[] }[];
  };
}

type Labels = Record<string, string>;
interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: 'In'; values: string[] }[];
}
interface Port {
  port: number;
}
interface Container {
  image: string;
  envFrom: object[];
  resources: { requests: Labels; limits: Labels };
  securityContext: object;
  volumeMounts: { mountPath: string; readOnly?: boolean }[];
}
interface PodSpec {
  automountServiceAccountToken: boolean;
  securityContext: { runAsNonRoot: boolean; runAsUser: number; seccompProfile: object };
  containers: Container[];
}

/** Reads the documents of a YAML text. */
export const manifestsIn = (text: string): Manifest[] =>
  parseAllDocuments(text).map((one) => one.toJS() as Manifest);

/** The manifests of the folder, without the namespace. */
export function plainManifests(): Manifest[] {
  return ['settings', 'network', 'api', 'portal', 'engine', 'migrate'].flatMap((name) => {
    const path = new URL(`../../deploy/kubernetes/${name}.yaml`, import.meta.url);
    return manifestsIn(readFileSync(path, 'utf8'));
  });
}

/** Whether a selector chooses something with these labels. */
function chooses({ matchLabels = {}, matchExpressions = [] }: Selector, labels: Labels): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, values }) => values.includes(labels[key] ?? ''))
  );
}

/** What a pod may reach and who may reach it, as the network policies have it. */
export function reachOf(
  manifests: readonly Manifest[],
  labels: Labels,
): { isClosed: boolean; out: number[]; into: string[] } {
  const policies = manifests
    .filter(({ kind, spec }) => kind === 'NetworkPolicy' && chooses(spec.podSelector, labels))
    .map(({ spec }) => spec);
  const rules = policies.flatMap(({ ingress = [] }) => ingress);
  return {
    isClosed: policies.some(({ policyTypes }) => policyTypes.join() === 'Ingress,Egress'),
    out: [
      ...new Set(
        policies.flatMap(({ egress = [] }) =>
          egress.flatMap(({ ports }) => ports.map((p) => p.port)),
        ),
      ),
    ],
    into: rules.flatMap(({ from, ports }) =>
      from.flatMap(({ namespaceSelector }) =>
        ports.map(({ port }) => `${Object.values(namespaceSelector.matchLabels ?? {})}:${port}`),
      ),
    ),
  };
}
