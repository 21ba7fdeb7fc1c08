import { BOUND, type Row } from '../figure.ts';

/** One picture of a figure's results. */
export interface Plot {
  /** The name of its file, and the figure whose results it draws. */
  name: string;
  figure: string;
  title: string;
  /** Returns the rows to draw. */
  rows(rows: readonly Row[]): readonly Row[];
  /** The vega-lite specification. */
  specification: object;
}

const OURS = '#0f766e';
const OTHERS = '#a1a1aa';
const WORSE = '#b45309';
const isBound = ({ contender = '' }: Row): boolean => String(contender).startsWith(BOUND);

/** Names each peer with what its jobs do. */
const namedByJobs = (rows: readonly Row[]): Row[] =>
  rows.map((row) => ({
    ...row,
    name: [row.contender, row.jobs].filter(Boolean).join(', '),
  }));

/** Horizontal bars with their numbers at the end, ours in colour. */
function bars(value: string, title: string, by: string, isOurs: string) {
  const encoding = {
    y: { field: by, type: 'nominal', sort: null, title: null },
    x: { field: value, type: 'quantitative', title },
  };
  return {
    width: 460,
    height: { step: 28 },
    encoding,
    layer: [
      {
        mark: { type: 'bar', cornerRadiusEnd: 3 },
        encoding: { color: { condition: { test: isOurs, value: OURS }, value: OTHERS } },
      },
      {
        mark: { type: 'text', align: 'left', dx: 5, color: '#18181b' },
        encoding: { text: { field: value, type: 'quantitative', format: ',' } },
      },
    ],
  };
}

/** Leaves out bounds that lie far beyond the bars, which would have no room beside them; the table has them all. */
function withNearBounds(rows: readonly Row[]): Row[] {
  const rateOf = (row: Row): number => Number(row.collections_per_second);
  const farthest = 1.5 * Math.max(...rows.filter((row) => !isBound(row)).map(rateOf));
  return rows.filter((row) => !isBound(row) || rateOf(row) <= farthest);
}

/** The same, with a dashed line across all bars for each bound of the machine. */
function barsAndBounds(value: string, title: string, by: string, isOurs: string): object {
  const bound = `indexof(datum.${by}, '${BOUND}') == 0`;
  const { encoding, layer, ...size } = bars(value, title, by, isOurs);
  const name = { calculate: `substring(datum.${by}, ${BOUND.length})`, as: 'name' };
  const above = { type: 'text', angle: 335, align: 'left', baseline: 'bottom', color: WORSE };
  return {
    ...size,
    layer: [
      { transform: [{ filter: `!(${bound})` }], encoding, layer },
      {
        transform: [{ filter: bound }, name],
        encoding: { x: encoding.x },
        layer: [
          { mark: { type: 'rule', strokeDash: [4, 3], color: WORSE } },
          { mark: above, encoding: { y: { value: -3 }, text: { field: 'name' } } },
        ],
      },
    ],
  };
}

/** The same, in panels one above the other. */
function panels(value: string, title: string, by: string, isOurs: string, panel: string): object {
  return {
    facet: { row: { field: panel, type: 'nominal', sort: null, title: null, header: HEADER } },
    resolve: { scale: { x: 'independent' } },
    spec: bars(value, title, by, isOurs),
  };
}

const HEADER = {
  labelAngle: 0,
  labelAlign: 'left',
  labelAnchor: 'start',
  labelOrient: 'top',
  labelFontWeight: 'bold',
};

/** Grouped bars of two series for every value of `column`. */
function groups(what: {
  x: string;
  xTitle: string;
  y: string;
  yTitle: string;
  by: string;
  column: string;
  colours: readonly [string, string];
}): object {
  return {
    facet: {
      column: {
        field: what.column,
        type: 'nominal',
        sort: null,
        title: null,
        header: { labelFontWeight: 'bold' },
      },
    },
    resolve: { scale: { y: 'independent' } },
    spec: {
      width: 150,
      height: 220,
      mark: { type: 'bar', cornerRadiusEnd: 2 },
      encoding: {
        x: {
          field: what.x,
          type: 'nominal',
          sort: null,
          title: what.xTitle,
          axis: { labelAngle: 0 },
        },
        xOffset: { field: what.by, sort: null },
        y: { field: what.y, type: 'quantitative', title: what.yTitle },
        color: {
          field: what.by,
          type: 'nominal',
          sort: null,
          title: null,
          scale: { range: what.colours },
          legend: { orient: 'bottom' },
        },
      },
    },
  };
}

/** Splits a row of the API's table into two bars. */
function bothOf(row: Row, ours: string, lawful: string): Row[] {
  const { operation = '', connections = '' } = row;
  return [
    { operation, connections, who: 'Recollect', value: row[ours] ?? 0 },
    { operation, connections, who: 'a bare handler, same laws', value: row[lawful] ?? 0 },
  ];
}

export const PLOTS: readonly Plot[] = [
  {
    name: 'due-run',
    figure: 'due-run',
    title: 'Where the CPU of a collection goes, end to end',
    rows: ([row = {}]) =>
      ['recollect', 'postgres', 'partners', 'receiver'].map((part) => ({
        part,
        percent: row[`${part}_share_percent`] ?? 0,
      })),
    specification: bars('percent', 'per cent of all CPU', 'part', "datum.part == 'recollect'"),
  },
  {
    name: 'growth',
    figure: 'growth',
    title: 'What a collection costs PostgreSQL with more and more schedules stored',
    rows: (rows) => rows.filter(({ what = '' }) => String(what).endsWith('stored')),
    specification: bars('postgres_cpu_us', 'µs of CPU per collection', 'what', 'true'),
  },
  {
    name: 'limit',
    figure: 'limit',
    title: 'Collections a second through the database alone',
    rows: withNearBounds,
    specification: barsAndBounds(
      'collections_per_second',
      'collections a second',
      'contender',
      "indexof(datum.contender, 'Recollect') >= 0",
    ),
  },
  {
    name: 'peers',
    figure: 'peers',
    title: 'The same due run, queued by others: collections a second',
    rows: namedByJobs,
    specification: panels(
      'per_second',
      'collections a second',
      'name',
      "datum.contender == 'Recollect'",
      'part',
    ),
  },
  {
    name: 'peers-cpu',
    figure: 'peers',
    title: 'The same due run, queued by others: CPU per collection',
    rows: namedByJobs,
    specification: panels(
      'cpu_us',
      'µs of CPU per collection: PostgreSQL and Node',
      'name',
      "datum.contender == 'Recollect'",
      'part',
    ),
  },
  {
    name: 'api',
    figure: 'api',
    title: 'The API beside a bare handler with the same laws: requests a second',
    rows: (rows) => rows.flatMap((row) => bothOf(row, 'per_second', 'lawful_per_second')),
    specification: groups({
      x: 'connections',
      xTitle: 'connections',
      y: 'value',
      yTitle: 'requests a second',
      by: 'who',
      column: 'operation',
      colours: [OURS, OTHERS],
    }),
  },
  {
    name: 'api-p99',
    figure: 'api',
    title: 'The API beside a bare handler with the same laws: 99 of 100 answers came within',
    rows: (rows) => rows.flatMap((row) => bothOf(row, 'p99_ms', 'lawful_p99_ms')),
    specification: groups({
      x: 'connections',
      xTitle: 'connections',
      y: 'value',
      yTitle: 'ms',
      by: 'who',
      column: 'operation',
      colours: [OURS, OTHERS],
    }),
  },
  {
    name: 'webhooks',
    figure: 'webhooks',
    title: 'What healthy endpoints wait for an event while others are sick',
    rows: (rows) =>
      rows.flatMap((row) =>
        (['p50', 'p99'] as const).map((share) => ({
          share,
          events_due: `due ${row.events_due}`,
          others: row.others === 'well' ? 'all are well' : '10 hang, 10 refuse',
          ms: row[`healthy_${share}_ms`] ?? 0,
        })),
      ),
    specification: groups({
      x: 'share',
      xTitle: '',
      y: 'ms',
      yTitle: 'ms from due to acknowledged',
      by: 'others',
      column: 'events_due',
      colours: [OURS, WORSE],
    }),
  },
];
