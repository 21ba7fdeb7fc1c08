import { makePublishing } from '../server/src/app/deployment/platform.ts';
import { type Config, readConfig } from '../server/src/platform/config/config.ts';
import { type Db, openDb, type Tx } from '../server/src/platform/db/db.ts';
import { makeLog } from '../server/src/platform/log/log.ts';
import type { Platform } from '../server/src/platform/platform.ts';
import { makeIds } from '../server/src/platform/values/ids.ts';
import { makeVault } from '../server/src/platform/vault/vault.ts';
import type { AccountDetails } from '../server/src/wallets/issuer.ts';
import { testDatabase } from '../server/test-support/database.ts';
import { asOwner } from '../server/test-support/owner.ts';
import { Agenda } from './agenda.ts';
import { SimulatedBank } from './bank.ts';
import { ExpectedBook } from './book/book.ts';
import { ExpectedDisputes } from './book/disputes.ts';
import { type Chance, makeChance } from './chance.ts';
import { History } from './history.ts';
import { SimulatedIssuer } from './issuer.ts';
import { makeNotifier, notifyOfMoney } from './notices.ts';
import { oneAtATime, type QuietDb } from './one-at-a-time.ts';
import { Processes } from './processes.ts';
import { Receivers } from './receiver.ts';
import { type Watch, watchWrites } from './touched.ts';
import { Troubles } from './troubles.ts';

/** What a run is told. */
export interface Settings {
  seed: string;
  days: number;
  merchants: number;
  schedules: number;
  /** The moment at which it begins. */
  start: Temporal.Instant;
  /** The step after which it stops and tells of it; null: it lives to the end. */
  untilStep: number | null;
  /** The minutes in which what falls due is done together; a divisor of 60. */
  every: number;
}

/** The service over a real database, its virtual clock, and everybody around it. */
export interface World {
  settings: Settings;
  clock: { at: Temporal.Instant; now(): Temporal.Instant };
  chance: Chance;
  history: History;
  troubles: Troubles;
  agenda: Agenda;
  db: Db;
  platform: Platform;
  banks: ReadonlyMap<string, SimulatedBank>;
  issuer: SimulatedIssuer;
  receivers: Receivers;
  processes: Processes;
  /** What should have been collected, paid out and refunded: it knows nothing of the product. */
  book: ExpectedBook;
  /** ... and which payments are disputed, and how that must end. */
  disputes: ExpectedDisputes;
  /** What was written to the books of money since the last call. */
  written: Watch;
  /** Takes a backup of the database, and returns what restores it; null: a cluster has none. */
  backUp: (() => Promise<() => Promise<void>>) | null;
  close(): Promise<void>;
}

const BANKS = ['alder', 'birch', 'cedar'];
const BUSY_TABLES = new Set([
  'touched',
  'inbox',
  'debts',
  'payments',
  'schedules',
  'deliveries',
  'events',
  'settlements',
  'refunds',
  'disputes',
  'attempts',
]);
/** The limit counts real minutes, in which weeks go by here. */
const MAX_REQUESTS = 10_000_000;

/** Opens a world on a database of its own. */
export async function openWorld(settings: Settings): Promise<World> {
  const database = await testDatabase();
  const pool = openDb(database.url, 1);
  await asOwner(pool, leaveRowsWhereTheyAre);
  const db = oneAtATime(pool);
  const written = await watchWrites(pool);
  const clock: World['clock'] = { at: settings.start, now: () => clock.at };
  const chance = makeChance(settings.seed);
  const history = new History(clock.now);
  const book = new ExpectedBook();
  const troubles = new Troubles({ chance, history, now: clock.now, unrest: book.unrest });
  const agenda = new Agenda();
  const world = { db, clock, troubles, agenda };
  const platform = makePlatform(db, clock, chance, history);
  const notify = makeNotifier({
    ...world,
    receive: (notice) => processes.ask((service) => service.receive(notice)),
  });
  const issuer = new SimulatedIssuer(troubles, agenda);
  issuer.hasPaid = (movementId) => hasPaid(db, movementId);
  notifyOfMoney(issuer, notify);
  const tell = (bankId: string, kind: string, id: string): void =>
    notify(`bank:${bankId}`, id, { resources: [{ kind, id }] });
  const banks = new Map(
    BANKS.map((id) => [id, new SimulatedBank(id, issuer, { troubles, agenda, tell })]),
  );
  letTheBookKnow(book, { clock, banks, issuer });
  const receivers = new Receivers(troubles);
  const processes = new Processes(platform, { banks, issuer, sender: receivers }, world);
  return {
    settings,
    clock,
    chance,
    history,
    troubles,
    agenda,
    db,
    platform,
    banks,
    issuer,
    receivers,
    processes,
    book,
    disputes: new ExpectedDisputes(),
    written,
    backUp: (await db.isOnCluster()) ? null : () => database.backUp(),
    async close() {
      await pool.close();
      await database.drop();
    },
  };
}

/** The book hears of what customers agree to and end at their banks, and banks and issuer of who pays. */
function letTheBookKnow(
  book: ExpectedBook,
  { clock, banks, issuer }: Pick<World, 'clock' | 'banks' | 'issuer'>,
): void {
  const accountOf = (consentId: string): AccountDetails | null => {
    const phone = book.agreements.get(consentId)?.phone;
    if (phone === undefined) return null;
    return { sortCode: '040004', accountNumber: book.personOf(phone).account, name: phone };
  };
  issuer.payerUnder = accountOf;
  for (const bank of banks.values()) {
    bank.debtorOf = accountOf;
    bank.whenAgreed = (id, most) => book.agreed(clock.at.epochMilliseconds, id, most);
    bank.whenRevoked = (id) => book.withdrawn(clock.at.epochMilliseconds, id, false);
  }
}

/** Whether a pay-in has paid for something, and nothing of it was returned. */
async function hasPaid(db: Db, movementId: string): Promise<boolean> {
  const row = await db.read((tx) =>
    tx.row(
      `SELECT 1 AS one FROM attempts a JOIN payments p USING (merchant_id, payment_id)
       WHERE a.pay_in_id = $1 AND p.status = 'success' AND p.returned_at IS NULL`,
      [movementId],
    ),
  );
  return row !== null;
}

/** Nobody tidies up at moments of its own: what a statement finds first must not depend on them. */
async function leaveRowsWhereTheyAre(tx: Tx): Promise<void> {
  for (const name of await tablesOf(tx))
    await tx.run(`ALTER TABLE ${name} SET (autovacuum_enabled = false)`);
}

async function tablesOf(tx: Tx): Promise<string[]> {
  const tables = await tx.rows<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace ORDER BY 1`,
  );
  return tables.map((table) => table.name);
}

/** Once a virtual day somebody tidies up, as PostgreSQL would on its own. */
export async function tidyUp(db: Db): Promise<void> {
  await asOwner(db, async (tx) => {
    const tables = await tablesOf(tx);
    for (const name of tables.filter((table) => BUSY_TABLES.has(table)))
      await tx.run(`VACUUM (ANALYZE) ${name}`);
  });
}

function makePlatform(
  db: QuietDb,
  clock: World['clock'],
  chance: Chance,
  history: History,
): Platform & { db: QuietDb } {
  const config: Config = { ...readConfig({}), rateLimitPerMinute: MAX_REQUESTS };
  const vault = makeVault(new Map([['k1', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2));
  let drawn = 0;
  const fill = (buffer: Buffer): void => {
    drawn += 1;
    chance.bytes(buffer.length, 'id', drawn).copy(buffer);
  };
  const log = makeLog('error', {
    write: (line) => history.count(`log: ${(JSON.parse(line) as { event: string }).event}`),
  });
  const ids = makeIds(fill);
  return {
    db,
    clock,
    ids,
    vault,
    log,
    config,
    ...makePublishing({ config, ids, vault }),
    wake: () => undefined,
  };
}
