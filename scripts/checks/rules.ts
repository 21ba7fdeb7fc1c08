import { alertsRule } from './alerts.ts';
import { clockRule } from './clock.ts';
import { constraintsRule } from './constraints.ts';
import type { Rule } from './files.ts';
import { generatedRule } from './generated.ts';
import { grafanaRule } from './grafana.ts';
import { identifiersRule } from './identifiers.ts';
import { instantsRule } from './instants.ts';
import { logEventsRule } from './log-events.ts';
import { metricsRule } from './metrics.ts';
import { migrationsRule } from './migrations.ts';
import { namesRule } from './names.ts';
import { referencesRule } from './references.ts';
import { sqlRule } from './sql.ts';
import { statesRule } from './states.ts';
import { widthRule } from './width.ts';
import { wordsRule } from './words.ts';

/** Our own rules: what no tool checks. */
export const rules: readonly Rule[] = [
  alertsRule,
  clockRule,
  instantsRule,
  constraintsRule,
  generatedRule,
  grafanaRule,
  identifiersRule,
  logEventsRule,
  metricsRule,
  migrationsRule,
  namesRule,
  referencesRule,
  sqlRule,
  statesRule,
  widthRule,
  wordsRule,
];
