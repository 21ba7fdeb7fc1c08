import { type Config, VERSION } from '../../platform/config/config.ts';
import { type Pools, shareOut } from '../../platform/db/pools.ts';
import { WORK_CLASSES, type WorkQueue } from '../../platform/http/admission/work-queue.ts';
import { endsWithin } from '../../platform/network/ends-within.ts';
import { realNow } from '../../platform/time/clock.ts';
import { knownNow } from '../../platform/time/clock-skew.ts';
import type { DatabaseState } from '../health/database-problem.ts';
import { type Books, type Part, partsOf } from './books.ts';
import type { Metrics, Sample } from './metrics.ts';

/** How long what was read of the books is shown again: many scrapers cost as much as one. */
const CACHE_MS = 5_000;
/** Texts that are made in a second; more scrapes are shown the last one. */
const MAX_PER_SECOND = 10;
const MS_PER_SECOND = 1000;
/** How long a scrape waits for the database. */
const SCRAPE_WAITS_MS = 3_000;
const STATEMENT_MS = 2_000;

/** Until when a certificate of a bank connection is valid. */
export interface Certificate {
  bank: string;
  certificate: 'tls.cert' | 'tls.ca';
  validTo: Temporal.Instant;
}

/** Everything that a scrape shows. */
export interface Scraped {
  metrics: Metrics;
  config: Config;
  books: Books;
  certificates: () => readonly Certificate[];
  /** The pools of connections to the database. */
  pools: Pools;
  /** The queue of HTTP requests. */
  queue: WorkQueue;
  database: () => Promise<DatabaseState>;
  /** By how many milliseconds this machine's clock is ahead of the database's; null: not compared. */
  clockAheadMs: () => number | null;
}

/** Shows the metrics, whatever happens to the database. */
export interface Scrape {
  /** Returns the metrics in Prometheus' text format. Never throws for the database, and waits for it four seconds at most. */
  show(): Promise<string>;
  /** Resolves when no read of the books is under way. */
  idle(): Promise<void>;
}

/** Makes what answers a scrape. */
export function makeScrape(scraped: Scraped): Scrape {
  const { metrics, config, books } = scraped;
  const { mode, roles } = config;
  metrics.replace(
    ['recollect_build_info', 'recollect_database_connections_max'],
    [
      {
        name: 'recollect_build_info',
        labels: { version: VERSION, mode, roles: roles.join(',') },
        value: 1,
      },
      ...Object.entries(shareOut(config)).map(([pool, value]) => ({
        name: 'recollect_database_connections_max' as const,
        labels: { pool },
        value,
      })),
    ],
  );
  const reading = readBooks(metrics, books);
  const show = atMost(MAX_PER_SECOND, async () => {
    const [{ milliseconds, refusal }] = await Promise.all([scraped.database(), reading.fresh()]);
    const isUp = milliseconds !== null && refusal === null;
    metrics.set({ name: 'recollect_database_up', labels: {}, value: isUp ? 1 : 0 });
    showProcess(scraped);
    return metrics.expose();
  });
  return {
    show,
    idle: () => reading.idle(),
  };
}

/** Returns `make`, of which the last result is returned again beyond `most` calls in a second. */
function atMost(most: number, make: () => Promise<string>): () => Promise<string> {
  let [beganMs, calls] = [Number.NEGATIVE_INFINITY, 0];
  let last = Promise.resolve('');
  return () => {
    const now = performance.now();
    if (now - beganMs >= MS_PER_SECOND) [beganMs, calls] = [now, 0];
    calls += 1;
    if (calls <= most) last = make();
    return last;
  };
}

/** Sets the gauges that need no database. */
function showProcess({ metrics, certificates, pools, queue, clockAheadMs }: Scraped): void {
  const aheadMs = clockAheadMs();
  metrics.replace(
    ['recollect_clock_skew_seconds'],
    aheadMs === null
      ? []
      : [{ name: 'recollect_clock_skew_seconds', labels: {}, value: aheadMs / MS_PER_SECOND }],
  );
  metrics.replace(
    ['recollect_database_connections', 'recollect_database_connections_waiting'],
    Object.entries(pools).flatMap(([pool, db]) => showPool(pool, db)),
  );
  metrics.replace(
    ['recollect_http_work'],
    WORK_CLASSES.flatMap((work) =>
      Object.entries(queue.size(work)).map(([state, value]) => ({
        name: 'recollect_http_work' as const,
        labels: { work, state },
        value,
      })),
    ),
  );
  const now = realNow().epochMilliseconds;
  metrics.replace(
    ['recollect_certificate_remaining_seconds'],
    certificates().map(({ bank, certificate, validTo }) => ({
      name: 'recollect_certificate_remaining_seconds',
      labels: { bank, certificate },
      value: (validTo.epochMilliseconds - now) / 1000,
    })),
  );
}

function showPool(pool: string, db: Pools[keyof Pools]): Sample[] {
  const { inUse, idle, waiting } = db.connections();
  const name = 'recollect_database_connections';
  return [
    { name, labels: { pool, state: 'in_use' }, value: inUse },
    { name, labels: { pool, state: 'idle' }, value: idle },
    { name: 'recollect_database_connections_waiting', labels: { pool }, value: waiting },
  ];
}

/** Reads the books for scrapes: one read at a time, whose result is kept for some seconds. */
function readBooks(
  metrics: Metrics,
  books: Books,
): { fresh(): Promise<void>; idle(): Promise<void> } {
  const parts = partsOf(books);
  let reading: Promise<void> | null = null;
  let freshUntilMs = Number.NEGATIVE_INFINITY;
  const read = async (): Promise<void> => {
    // One after the other: a scrape takes one connection.
    for (const part of parts) showPart(metrics, part, await readPart(books, part));
    freshUntilMs = performance.now() + CACHE_MS;
  };
  return {
    async fresh() {
      if (reading === null && performance.now() < freshUntilMs) return;
      reading ??= read().finally(() => {
        reading = null;
      });
      if (await endsWithin(reading, SCRAPE_WAITS_MS)) return;
      for (const part of parts) showPart(metrics, part, null);
    },
    idle: async () => void (await reading),
  };
}

/** Returns the samples of a part; null: it could not be read. */
async function readPart({ platform }: Books, part: Part): Promise<Sample[] | null> {
  const { db, clock } = platform;
  const { onlyLooks = false } = part;
  try {
    return await db.transaction((tx) => part.read(tx, knownNow(clock)), {
      isQueuePeek: onlyLooks,
      statementTimeoutMs: STATEMENT_MS,
    });
  } catch {
    return null; // the scrape says so
  }
}

/** Shows what was read of a part; null: nothing, and that it failed. */
function showPart(metrics: Metrics, part: Part, samples: Sample[] | null): void {
  metrics.replace(part.gauges, samples ?? []);
  metrics.set({
    name: 'recollect_scrape_error',
    labels: { part: part.name },
    value: samples === null ? 1 : 0,
  });
}
