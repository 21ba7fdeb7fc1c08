import { stringify } from 'csv-stringify/sync';
import { ISSUER, type Report, reconcile } from '../../laws/reconciliation.ts';
import { listOpenItems, resolveItem } from '../../laws/reconciliation-store.ts';
import { formatInstant } from '../../platform/calendar.ts';
import { type Config, ConfigError } from '../../platform/config.ts';
import { issuerOfSandbox } from '../../sandbox/partners.ts';
import { HttpIssuer } from '../../wallets/issuer-http.ts';
import { readSandboxFile } from '../sandbox-merchant.ts';
import { withPlatform } from './offline.ts';
import { operatorOf } from './operator.ts';

const TIME_ZONE = 'Europe/London';

function readDate(text: string): Temporal.PlainDate {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    throw new ConfigError(`--date must be a date such as 2026-11-23, and "${text}" is none`);
  }
}

async function openIssuer(config: Config): Promise<HttpIssuer> {
  const file = readSandboxFile(config.dataDir);
  if (config.issuer === null && file === null)
    throw new ConfigError('no e-money issuer is configured');
  const known = config.issuer ?? (await issuerOfSandbox(config.dataDir, file?.issuer_url ?? ''));
  const { url, keyId, secret, notificationSecret } = known;
  return new HttpIssuer({ baseUrl: url, keyId, secret, notificationSecret });
}

/** `reconcile`: the report in lines, and whether both sides agree in everything. */
export function reconcileCommand(
  config: Config,
  options: { date?: string; csv?: true },
): Promise<{ lines: string[]; agrees: boolean }> {
  const given = options.date === undefined ? null : readDate(options.date);
  return withPlatform(config, async (platform) => {
    const today = platform.clock.now().toZonedDateTimeISO(TIME_ZONE).toPlainDate();
    const issuer = await openIssuer(config);
    try {
      const report = await reconcile(platform, issuer, given ?? today.subtract({ days: 1 }));
      const lines = options.csv ? await csvOf(platform) : textOf(report);
      return { lines, agrees: report.differences.length === 0 && report.unknown === null };
    } finally {
      await issuer.close();
    }
  });
}

async function csvOf({ db }: Parameters<typeof reconcile>[0]): Promise<string[]> {
  const items = await db.read((tx) => listOpenItems(tx, ISSUER));
  const cells = items.map((one) => ({
    item: one.item,
    date: one.date.toString(),
    merchant_id: one.merchant_id ?? '',
    amount_pence: one.amount_pence ?? '',
    found_at: formatInstant(one.found_at),
    what: one.what,
  }));
  const columns = ['item', 'date', 'merchant_id', 'amount_pence', 'found_at', 'what'];
  return [stringify(cells, { header: true, columns, escape_formulas: true }).trimEnd()];
}

function textOf({ date, lines, totals, differences, unknown }: Report): string[] {
  return [
    `${date.toString()}: ${lines} lines of the issuer's statement`,
    ...Object.entries(totals).map(([name, pence]) => `  ${name.replace('_pence', '')}: ${pence}`),
    ...differences.map((one) => `differs: ${one.item}: ${one.what}`),
    ...(unknown === null ? [] : [`unknown: ${unknown}`]),
    differences.length === 0 && unknown === null ? 'everything agrees' : 'not everything agrees',
  ];
}

/** `reconcile resolve`. False: there is no such open difference. */
export function resolveCommand(config: Config, item: string, how: string): Promise<boolean> {
  return withPlatform(config, ({ db, clock }) =>
    db.transaction((tx) =>
      resolveItem(tx, clock.now(), { issuer: ISSUER, item, who: operatorOf(config), how }),
    ),
  );
}
