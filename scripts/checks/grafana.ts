import { METRICS } from '../../server/src/operators/metrics/table.ts';
import { DASHBOARD } from '../grafana/dashboard.ts';
import type { Rule, Violation } from './files.ts';

/** The Grafana dashboard shows every metric. That its metrics exist is a matter of `alerts.ts`. */
export const grafanaRule: Rule = {
  name: 'grafana',
  check(files) {
    const text = files.find(({ path }) => path === DASHBOARD)?.text ?? '';
    const at = (message: string): Violation => ({ path: DASHBOARD, line: 1, message });
    const hidden = Object.keys(METRICS).filter(
      (name) => !new RegExp(`\\b${name}(_bucket|_count)?\\b`).test(text),
    );
    return hidden.map((name) => at(`shows nothing of \`${name}\``));
  },
};
