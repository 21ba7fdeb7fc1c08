import {
  CLASSES,
  type ClassOfRecords,
  type RetentionClass,
} from '../../server/src/platform/retention/classes.ts';
import { RETENTION, type Retention } from '../../server/src/platform/retention/rules.ts';

/** The page that says how long each table keeps its rows. */
export const RETENTION_PAGE = 'docs/rules/retention.md';
const HOURS_OF_A_DAY = 24;

const keptOf = (rule: Retention): string => {
  if (rule.kept !== 'for a time') return rule.kept;
  const hours = rule.for.total('hours');
  return hours > HOURS_OF_A_DAY ? `${hours / HOURS_OF_A_DAY} days` : `${hours} hours`;
};

/** Returns the tables of the code's classes and rules, class by class; tables of one rule share a line. */
export function retentionTable(): string {
  const classes = Object.entries<ClassOfRecords>(CLASSES);
  const duties = classes.map(
    ([, { name, least, most, why }]) => `| ${name} | ${least ?? '–'} | ${most} | ${why} |`,
  );
  const lines = classes.flatMap(([key, { name }]) =>
    linesOf(key as RetentionClass).map((line) => `| ${name} | ${line} |`),
  );
  return `| class | at least | at most | because of |
|---|---|---|---|
${duties.join('\n')}

| class | tables | kept | why, or until when |
|---|---|---|---|
${lines.join('\n')}
`;
}

function linesOf(key: RetentionClass): string[] {
  const rules = Map.groupBy(
    Object.entries<Retention>(RETENTION).filter(([, rule]) => rule.class === key),
    ([, rule]) => `${keptOf(rule)} | ${rule.why}`,
  );
  return [...rules].map(
    ([says, tables]) => `${tables.map(([table]) => `\`${table}\``).join(', ')} | ${says}`,
  );
}
