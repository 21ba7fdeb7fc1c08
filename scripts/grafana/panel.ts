import type { MetricName } from '../../server/src/operators/metrics/table.ts';

/** Grafana's names; `short` is a plain number. */
type Unit = 'short' | 's' | 'bytes' | 'reqps' | 'ops' | 'percentunit' | 'currencyGBP';

/** What a panel draws: one line, or one number, for each series of its expression. */
export interface Panel {
  title: string;
  /** The metric whose sentence explains the panel; a text: the sentence itself. */
  about: MetricName | { text: string };
  expr: string;
  /** What a series is called, by Grafana's template: `{{bank}}`. */
  legend: string;
  unit: Unit;
  shape: 'lines' | 'number';
}

/** A row of the dashboard, which can be folded. */
export interface Row {
  title: string;
  panels: readonly Panel[];
}

/** The window of a rate: Grafana makes it wide enough for the scrape interval. */
export const WINDOW = '[$__rate_interval]';
export const BANK = '{bank=~"$bank"}';

/** Adds a counter up over the processes, as a rate. */
export const rate = (series: string, by: string): string =>
  `sum by (${by}) (rate(${series}${WINDOW}))`;

/** The duration that 95 of 100 stay below. */
export const p95 = (histogram: string, by: string, selector = ''): string =>
  `histogram_quantile(0.95, sum by (le, ${by}) (rate(${histogram}_bucket${selector}${WINDOW})))`;

/** Draws a line for each series. */
export const lines = (
  title: string,
  about: Panel['about'],
  expr: string,
  legend: string,
  unit: Unit = 'short',
): Panel => ({ shape: 'lines', title, about, expr, legend, unit });

/** Shows one number. */
export const number = (
  title: string,
  about: Panel['about'],
  expr: string,
  unit: Unit = 'short',
): Panel => ({ shape: 'number', title, about, expr, legend: title, unit });
