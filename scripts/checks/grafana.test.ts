import assert from 'node:assert/strict';
import { test } from 'node:test';
import { METRICS } from '../../server/src/operators/metrics/table.ts';
import { DASHBOARD, dashboardText } from '../grafana/dashboard.ts';
import { grafanaRule } from './grafana.ts';

const problems = (text: string): string[] =>
  grafanaRule.check([{ path: DASHBOARD, text }]).map(({ message }) => message);

test('the dashboard that the script writes shows every metric', () => {
  assert.deepEqual(problems(dashboardText()), []);
});

test('a metric that the dashboard does not show is found', () => {
  const hidden = dashboardText().replaceAll('recollect_payments_outcome_unknown)', 'up)');
  const without = hidden.replaceAll('recollect_payments_outcome_unknown{', 'up{');
  assert.deepEqual(problems(without), ['shows nothing of `recollect_payments_outcome_unknown`']);
  assert.equal(problems('').length, Object.keys(METRICS).length);
});

test('no two panels overlap, and each has an id and a title of its own', () => {
  const { panels } = JSON.parse(dashboardText()) as {
    panels: {
      id: number;
      title: string;
      type: string;
      gridPos: Record<'x' | 'y' | 'w' | 'h', number>;
    }[];
  };
  assert.equal(new Set(panels.map(({ id }) => id)).size, panels.length);
  const titles = panels.filter(({ type }) => type !== 'row').map(({ title }) => title);
  assert.deepEqual(titles, [...new Set(titles)]);
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)},${y + Math.trunc(cell / w)}`),
  );
  assert.equal(new Set(cells).size, cells.length);
});
