import { VARIABLES } from '../../../platform/config/config.ts';
import type { Finding } from '../../../platform/config/finding.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { SECRET_SETTINGS, withSecretsOfFiles } from '../../../platform/config/secrets.ts';
import {
  checkConfig,
  databaseFindings,
  mailFindings,
  signOnFindings,
  textFinding,
} from '../../deployment/check-config.ts';

/** Settings whose values are never printed, only whether they are set. */
const SECRET = new Set<string>(SECRET_SETTINGS);
/** Settings of the sandbox, which live mode does not read. */
const SANDBOX = /^SANDBOX_/;
const WORDS = { good: 'good   ', warning: 'warning', problem: 'PROBLEM' } as const;
const ORDER = ['good', 'warning', 'problem'] as const;

/** Returns what `check-config` prints, a line each: what is good, what needs attention, and every problem. */
export async function checkConfigCommand(env: Env): Promise<{ lines: string[]; isGood: boolean }> {
  const { config, findings } = checkConfig(env);
  const all = [...goodSettings(env, findings), ...findings];
  if (config !== null)
    all.push(
      ...(await databaseFindings(config)),
      ...(await mailFindings(config)),
      ...(await signOnFindings(config)),
      textFinding(config),
    );
  const problems = all.filter(({ level }) => level === 'problem').length;
  return {
    lines: [
      ...ORDER.flatMap((level) => all.filter((one) => one.level === level)).map(
        ({ level, setting, says }) => `${WORDS[level]}  ${setting} ${says}`,
      ),
      problems === 0 ? 'the configuration is valid' : `${problems} to be put right`,
    ],
    isGood: problems === 0,
  };
}

/** Returns the settings without findings. */
function goodSettings(given: Env, findings: readonly Finding[]): Finding[] {
  const { env, sources } = withSecretsOfFiles(given);
  const bad = new Set(
    findings.filter(({ level }) => level !== 'good').map(({ setting }) => setting),
  );
  return Object.entries(VARIABLES)
    .filter(([setting]) => !bad.has(setting) && !(env.MODE === 'live' && SANDBOX.test(setting)))
    .flatMap(([setting, { fallback }]): Finding[] => {
      const value = env[setting] ?? '';
      if (value === '' && fallback === null) return [];
      const source = sources.get(setting);
      const bySource = source === undefined ? 'is set' : `is set by ${source}`;
      const shown = SECRET.has(setting) ? bySource : `is ${value}`;
      return [
        { level: 'good', setting, says: value === '' ? `is ${fallback}, the default` : shown },
      ];
    });
}
