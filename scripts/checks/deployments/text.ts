import { ALL, fileOf, LIVE, type Part, type Setting, usesSecret } from './settings.ts';

/** How a kind of file writes a setting. */
interface Notation {
  /** A line of a setting that the operator fills in, or has a value here. */
  line: (name: string, value: string) => string;
  /** What stands before every line. */
  indent: string;
}

const ENV: Notation = { line: (name, value) => `${name}=${value}`, indent: '' };
const YAML: Notation = { line: (name, value) => `${name}: ${JSON.stringify(value)}`, indent: '  ' };

/** What a setting is in every deployment. */
const PRESET: Readonly<Record<string, string>> = { MODE: 'live' };

function linesOf(setting: Setting, { line, indent }: Notation): string[] {
  const { name, about, fallback, isRequired } = setting;
  const value = PRESET[name] ?? (isRequired ? '' : (fallback ?? ''));
  const off = isRequired ? '' : '# ';
  return [`${indent}# ${about}`, `${indent}${off}${line(name, value)}`];
}

const secretLine = (setting: Setting): string =>
  `#   ${fileOf(setting)}${setting.isRequired ? ' (required)' : ''}: ${setting.about}`;

function settingsIn(notation: Notation): string {
  const { indent } = notation;
  const open = LIVE.filter(({ isSecret }) => !isSecret);
  const lines = [
    `${indent}# Required.`,
    ...open.filter(({ isRequired }) => isRequired).flatMap((one) => linesOf(one, notation)),
    '',
    `${indent}# As needed: take the "# " away. A value that is shown is the default.`,
    ...open.filter(({ isRequired }) => !isRequired).flatMap((one) => linesOf(one, notation)),
    '',
    `${indent}# Secrets are no settings of this file, but files of their own in the folder of secrets:`,
    ...LIVE.filter(({ isSecret }) => isSecret).map((one) => `${indent}${secretLine(one)}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Returns the settings as lines of an environment file. */
export const environmentText = (): string => settingsIn(ENV);

/** Returns the settings as members of the data of a Kubernetes ConfigMap. */
export const configMapText = (): string => settingsIn(YAML);

/** Returns the secrets of one part of a deployment as items of a volume of Kubernetes. */
export const itemsText = (part: Part): string =>
  LIVE.filter((one) => one.isSecret && usesSecret(part, one))
    .map((one) => `              - key: ${fileOf(one)}\n                path: ${fileOf(one)}\n`)
    .join('');

/** Returns the secrets of the service as credentials of systemd. */
export const credentialsText = (): string =>
  LIVE.filter((one) => one.isSecret && one.name !== 'MIGRATE_DATABASE_URL')
    .map((one) => {
      const off = one.isRequired ? '' : '#';
      return `${off}LoadCredential=${fileOf(one)}:/etc/recollect/secrets/${fileOf(one)}\n`;
    })
    .join('');

/** Returns the table of every setting in Markdown. */
export function tableText(): string {
  const rows = ALL.map(({ name, about, fallback, isRequired, isSecret }) => {
    const marks = [isRequired ? 'required' : '', isSecret ? 'secret' : ''].filter(Boolean);
    const value = fallback === null ? '' : `\`${fallback}\``;
    return `| \`${name}\` | ${value} | ${marks.join(', ')} | ${about.replaceAll('<', '\\<')} |\n`;
  });
  return `| setting | default | live mode | what it is |\n|---|---|---|---|\n${rows.join('')}`;
}
