import { readFileSync } from 'node:fs';
import { parse, parseAllDocuments } from 'yaml';

/** What a part of a deployment gets: its settings as the program sees them, and which secrets are in the folder of secrets. */
export interface Deployed {
  name: string;
  env: Record<string, string>;
  secrets: string[];
}

const read = (path: string): string =>
  readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');

/** Returns the lines of an environment file. `all`: those that are commented out too. */
function environment(text: string, all: boolean): Record<string, string> {
  const lines = text.split('\n').map((line) => (all ? line.replace(/^# (?=[A-Z_]+=)/, '') : line));
  const settings = lines.filter((line) => /^[A-Z_]+=/.test(line));
  return Object.fromEntries(settings.map((line) => line.split(/=(.*)/s).slice(0, 2)));
}

const rolesOf = (args: readonly string[]): Record<string, string> =>
  args[1] === '--roles' ? { ROLES: args[2] ?? '' } : {};

interface Service {
  environment: Record<string, string>;
  command?: string[];
  volumes: string[];
}

/** The services of the compose file that run our image. */
export function composed(all: boolean): Deployed[] {
  const { services } = parse(read('compose.yaml'), { merge: true }) as {
    services: Record<string, Service>;
  };
  const settings = environment(read('recollect.env.example'), all);
  return Object.entries(services)
    .filter(([, { environment: own }]) => own.SECRETS_DIR !== undefined)
    .map(([name, { environment: own, command = [], volumes }]) => {
      if (!volumes.includes(`./secrets/service:${own.SECRETS_DIR}:ro`))
        throw new Error(`${name} has no folder of secrets`);
      return { name, env: { ...settings, ...own, ...rolesOf(command) }, secrets: ['*'] };
    });
}

interface Pod {
  containers: {
    args: string[];
    env?: { name: string; value: string }[];
    volumeMounts: { name: string; mountPath: string }[];
  }[];
  volumes: { name: string; secret?: { items?: { key: string; path: string }[] } }[];
}

/** The pods of Kubernetes. */
export function podsOf(all: boolean): Deployed[] {
  const settings = read('kubernetes/settings.yaml');
  const text = all ? settings.replaceAll(/^ {2}# (?=[A-Z_]+: )/gm, '  ') : settings;
  const [map] = parseAllDocuments(text).map((one) => one.toJS() as { data: Env });
  return ['api', 'portal', 'engine', 'migrate'].map((name) => {
    const [workload] = parseAllDocuments(read(`kubernetes/${name}.yaml`)).map(
      (one) => one.toJS() as { spec: { template: { spec: Pod } } },
    );
    const pod = workload?.spec.template.spec;
    const [container] = pod?.containers ?? [];
    const items = pod?.volumes.find((one) => one.name === 'secrets')?.secret?.items ?? [];
    const own = Object.fromEntries((container?.env ?? []).map((one) => [one.name, one.value]));
    return {
      name,
      env: { ...map?.data, ...own, ...rolesOf(container?.args ?? []) },
      secrets: items.map(({ path }) => path),
    };
  });
}

type Env = Record<string, string>;

/** The units of systemd. */
export function unitsOf(all: boolean): Deployed[] {
  const unit = read('systemd/recollect@.service');
  const given = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, line = '']) =>
    line.split(' '),
  );
  const loaded = all ? /^#?LoadCredential=(\w+):/gm : /^LoadCredential=(\w+):/gm;
  return ['api', 'portal', 'engine'].map((name) => ({
    name,
    env: {
      ...environment(given.join('\n'), false),
      ...environment(read('recollect.env.example'), all),
      ROLES: name,
    },
    secrets: [...unit.matchAll(loaded)].map(([, file = '']) => file),
  }));
}
