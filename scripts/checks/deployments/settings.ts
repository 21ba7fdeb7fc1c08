import { VARIABLES } from '../../../server/src/platform/config/config.ts';
import type { Variable } from '../../../server/src/platform/config/readers.ts';
import { API_SECRETS, LIVE_SETTINGS } from '../../../server/src/platform/config/rules.ts';
import { SECRET_SETTINGS } from '../../../server/src/platform/config/secrets.ts';

/** A setting as the files of a deployment show it. */
export interface Setting {
  name: string;
  about: string;
  fallback: string | null;
  /** Kept in a file of its own, never among the other settings. */
  isSecret: boolean;
  /** Live mode does not start without it. */
  isRequired: boolean;
}

/** The parts of a deployment: a process for each role of the service, and the step that migrates. */
export const PARTS = ['api', 'portal', 'engine', 'migrate'] as const;
export type Part = (typeof PARTS)[number];

/** What the sandbox alone reads. */
const SANDBOX = /^SANDBOX_/;
/** What the deployment's own files say: where a process listens, its role, how many engines it is, and where its files are. */
export const SET_BY_DEPLOYMENT: readonly string[] = [
  'ROLES',
  'ENGINES',
  'HOST',
  'PORT',
  'OPERATOR_HOST',
  'OPERATOR_PORT',
  'DATA_DIR',
  'SECRETS_DIR',
  'BANKS_FILE',
];

const required = new Set<string>(['MODE', ...LIVE_SETTINGS]);
const secrets = new Set<string>(SECRET_SETTINGS);

/** Every setting, in the order of the table. */
export const ALL: readonly Setting[] = Object.entries<Variable<unknown>>(VARIABLES).map(
  ([name, { about, fallback }]) => ({
    name,
    about,
    fallback,
    isSecret: secrets.has(name),
    isRequired: required.has(name),
  }),
);

/** The settings of live mode that an operator fills in. */
export const LIVE = ALL.filter(
  ({ name }) => !SANDBOX.test(name) && !SET_BY_DEPLOYMENT.includes(name),
);

/** The name of a secret's file. */
export const fileOf = ({ name }: Setting): string => name.toLowerCase();

const API_ONLY: readonly string[] = API_SECRETS;

/** Whether a part of a deployment uses a secret. */
export function usesSecret(part: Part, { name }: Setting): boolean {
  if (name === 'MIGRATE_DATABASE_URL') return part === 'migrate';
  if (name === 'REDIS_URL') return part === 'api' || part === 'portal';
  return part === 'api' || !API_ONLY.includes(name);
}
