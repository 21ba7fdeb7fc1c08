import { readFileSync } from 'node:fs';

const FILE = new URL('../../deploy/monitoring/dashboard.json', import.meta.url);

/** Returns the panels of the Grafana dashboard, with its variables replaced as Grafana would for all banks. */
export function dashboardPanels(): { title: string; expr: string }[] {
  const { panels } = JSON.parse(readFileSync(FILE, 'utf8')) as {
    panels: { title: string; targets?: { expr: string }[] }[];
  };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$bank', '.*'),
    })),
  );
}
