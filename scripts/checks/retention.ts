import { RETENTION, type Retention } from '../../server/src/platform/retention/rules.ts';

/** The page that says how long each table keeps its rows. */
export const RETENTION_PAGE = 'docs/rules/retention.md';
const HOURS_OF_A_DAY = 24;

const keptOf = (rule: Retention): string => {
  if (rule.kept !== 'for a time') return rule.kept;
  const hours = rule.for.total('hours');
  return hours > HOURS_OF_A_DAY ? `${hours / HOURS_OF_A_DAY} days` : `${hours} hours`;
};

/** Returns the table of the code's rules; tables of one rule share a line. */
export function retentionTable(): string {
  const rules = Map.groupBy(
    Object.entries<Retention>(RETENTION),
    ([, rule]) => `${keptOf(rule)} | ${rule.why}`,
  );
  const lines = [...rules].map(
    ([says, tables]) => `| ${tables.map(([table]) => `\`${table}\``).join(', ')} | ${says} |`,
  );
  return `| tables | kept | why, or until when |\n|---|---|---|\n${lines.join('\n')}\n`;
}
