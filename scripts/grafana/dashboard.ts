import { METRICS } from '../../server/src/operators/metrics/table.ts';
import type { Panel } from './panel.ts';
import { ROWS } from './rows.ts';

/** Where the dashboard is kept. */
export const DASHBOARD = 'deploy/monitoring/dashboard.json';

/** Grafana divides a row into 24 columns. */
const COLUMNS = 24;
const SIZES = { number: { w: 3, h: 4 }, lines: { w: 8, h: 8 } };
const SOURCE = { type: 'prometheus', uid: '$source' };

/** Returns the Grafana dashboard as JSON text: the rows of `rows.ts` on a page, each panel with the sentence of its metric. */
export function dashboardText(): string {
  return `${JSON.stringify(dashboard(), null, 2)}\n`;
}

function dashboard(): object {
  return {
    uid: 'recollect',
    title: 'Recollect',
    description: 'Made by `npm run generate -- grafana`. Alerts: alerts.yaml beside this file.',
    schemaVersion: 39,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    timezone: 'Europe/London',
    templating: { list: variables() },
    panels: panels(),
  };
}

function variables(): object[] {
  return [
    { name: 'source', label: 'Data source', type: 'datasource', query: 'prometheus' },
    {
      name: 'bank',
      label: 'Bank',
      type: 'query',
      datasource: SOURCE,
      query: 'label_values(recollect_payments_due, bank)',
      refresh: 2,
      multi: true,
      includeAll: true,
      allValue: '.*',
      current: { text: 'All', value: '$__all' },
    },
  ];
}

function panels(): object[] {
  let y = 0;
  let x = 0;
  let id = 0;
  return ROWS.flatMap((row) => {
    const heading = {
      id: ++id,
      type: 'row',
      title: row.title,
      gridPos: { x: 0, y, w: COLUMNS, h: 1 },
    };
    y += 1;
    const drawn = row.panels.map((panel) => {
      const { w, h } = SIZES[panel.shape];
      if (x + w > COLUMNS) {
        x = 0;
        y += h;
      }
      const gridPos = { x, y, w, h };
      x += w;
      return { id: ++id, gridPos, ...draw(panel) };
    });
    y += drawn.at(-1)?.gridPos.h ?? 0;
    x = 0;
    return [heading, ...drawn];
  });
}

function draw({ title, about, expr, legend, unit, shape }: Panel): object {
  return {
    type: shape === 'number' ? 'stat' : 'timeseries',
    title,
    description: typeof about === 'string' ? METRICS[about].help : about.text,
    datasource: SOURCE,
    fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
    targets: [
      { refId: 'A', datasource: SOURCE, expr, legendFormat: legend, instant: shape === 'number' },
    ],
  };
}
