import { readFileSync } from 'node:fs';
import { londonDay } from '../../../laws/reconciliation/london-day.ts';
import { ISSUER, type Report, reconcile } from '../../../laws/reconciliation/reconciliation.ts';
import {
  type ItemRow,
  listItems,
  unknownSince,
} from '../../../laws/reconciliation/reconciliation-store.ts';
import { heldBy, isOf } from '../../../laws/reconciliation/statements/camt-days.ts';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import { formatInstant } from '../../../platform/time/calendar.ts';
import { errorMessage } from '../../../platform/values/thrown.ts';
import { type CamtFile, readCamtFiles } from '../../../wallets/camt.ts';
import { openIssuer } from '../session/issuer.ts';
import { withPlatform } from '../session/offline.ts';

function readDate(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    throw new ConfigError(`--date must be a date such as 2026-11-23, and "${text}" is none`);
  }
}

/** Reads a statement. Throws ConfigError if it cannot be read; the message names the element that is missing or wrong. */
function readStatement(files: readonly string[]): CamtFile {
  try {
    return readCamtFiles(files.map((file) => readFileSync(file, 'utf8')));
  } catch (error) {
    throw new ConfigError(
      `the statement ${files.join(', ')} cannot be read: ${errorMessage(error)}`,
    );
  }
}

/** Throws ConfigError if nothing of a statement is of the day; the message says what it holds. */
function checkDay({ statements, leftOut }: CamtFile, date: Temporal.PlainDate): void {
  if (statements.some((one) => isOf(one, date))) return;
  const held = [heldBy(statements), ...leftOut].join(', ');
  throw new ConfigError(`the statement has nothing of ${date}: it holds ${held}`);
}

/**
 * `reconcile statement`: makes the report of a day from files, as the service makes it from the issuer's API. Returns its lines
 * and whether both sides agree on everything. Throws ConfigError for files that are no statement of the day.
 */
export function statementCommand(
  config: Config,
  files: readonly string[],
  date?: string,
): Promise<{ lines: string[]; agrees: boolean }> {
  const given = date === undefined ? null : readDate(date);
  const file = readStatement(files);
  return withPlatform(config, async (platform) => {
    const day = given ?? londonDay(platform.clock.now()).subtract({ days: 1 });
    checkDay(file, day);
    const issuer = await openIssuer(config);
    try {
      const report = await reconcile(platform, issuer, day, file.statements);
      const items = await platform.db.read((tx) => listItems(tx, ISSUER, day));
      const since = await platform.db.read((tx) => unknownSince(tx, ISSUER, day));
      const leftOut = file.leftOut.map((one) => `left out: ${one}`);
      return {
        lines: [...leftOut, ...textOf(report, items, since, platform.clock.now())],
        agrees: report.open.length === 0 && report.unknown === null,
      };
    } finally {
      await issuer.close();
    }
  });
}

function textOf(
  { date, lines, totals, open, unknown }: Report,
  items: readonly ItemRow[],
  since: Temporal.Instant | null,
  now: Temporal.Instant,
): string[] {
  const agrees = open.length === 0 && unknown === null;
  return [
    `${date.toString()}: ${lines} lines of the issuer's statement`,
    ...Object.entries(totals).map(([name, pence]) => `  ${name.replace('_pence', '')}: ${pence}`),
    ...items.map((one) => itemLine(one, now)),
    ...(unknown === null ? [] : [`unknown: ${unknown} (since ${formatInstant(since ?? now)})`]),
    agrees ? 'everything agrees' : 'not everything agrees',
  ];
}

function itemLine(item: ItemRow, now: Temporal.Instant): string {
  const days = Math.floor(now.since(item.foundAt).total('hours') / 24);
  const what = `${item.item}: ${item.what} (found ${formatInstant(item.foundAt)}, ${days} days ago)`;
  return item.resolvedAt === null
    ? `differs: ${what}`
    : `resolved: ${what} by ${item.resolvedBy}: ${item.resolution}`;
}
