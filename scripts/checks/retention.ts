import { RETENTION, type Retention } from '../../server/src/platform/retention/rules.ts';
import type { Rule } from './files.ts';
import { withMarked } from './marked.ts';

/** The page that says how long each table keeps its rows. */
export const RETENTION_PAGE = 'docs/rules/retention.md';
const HOURS_OF_A_DAY = 24;

/** Returns the page with the code's rules between its two markers; null if the markers are missing. */
export const withRetention = (page: string): string | null =>
  withMarked(page, 'retention', retentionTable());

const keptOf = (rule: Retention): string => {
  if (rule.kept !== 'for a time') return rule.kept;
  const hours = rule.for.total('hours');
  return hours > HOURS_OF_A_DAY ? `${hours / HOURS_OF_A_DAY} days` : `${hours} hours`;
};

/** Tables of one rule share a line. */
function retentionTable(): string {
  const rules = Map.groupBy(
    Object.entries<Retention>(RETENTION),
    ([, rule]) => `${keptOf(rule)} | ${rule.why}`,
  );
  const lines = [...rules].map(
    ([says, tables]) => `| ${tables.map(([table]) => `\`${table}\``).join(', ')} | ${says} |`,
  );
  return `| tables | kept | why, or until when |\n|---|---|---|\n${lines.join('\n')}\n`;
}

/** The page shows how long each table keeps its rows. */
export const retentionRule: Rule = {
  name: 'retention',
  check(files) {
    const page = files.find(({ path }) => path === RETENTION_PAGE)?.text ?? '';
    const message = 'does not show the rules as they are: npm run retention';
    return withRetention(page) === page ? [] : [{ path: RETENTION_PAGE, line: 1, message }];
  },
};
