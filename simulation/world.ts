import { type Config, readConfig } from '../server/src/platform/config.ts';
import { type Db, openDb, type Tx } from '../server/src/platform/db.ts';
import { makeIds } from '../server/src/platform/ids.ts';
import { receiveNotifications } from '../server/src/platform/inbox.ts';
import { makeLog } from '../server/src/platform/log.ts';
import type { Platform } from '../server/src/platform/platform.ts';
import { makeVault } from '../server/src/platform/vault.ts';
import { ISSUER_SOURCE, type StoredNotice } from '../server/src/wallets/routes.ts';
import { testDatabase } from '../server/test-support/database.ts';
import { Agenda } from './agenda.ts';
import { SimulatedBank } from './bank.ts';
import { type Chance, makeChance } from './chance.ts';
import { History } from './history.ts';
import { SimulatedIssuer } from './issuer.ts';
import { oneAtATime, type QuietDb } from './one-at-a-time.ts';
import { Processes } from './processes.ts';
import { Receivers } from './receiver.ts';
import { noteTouched } from './touched.ts';
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
  /** Takes a backup of the database, and returns what restores it. */
  backUp(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

const BANKS = ['alder', 'birch', 'cedar'];
const BUSY_TABLES = [
  'touched',
  'inbox',
  'payments',
  'schedules',
  'deliveries',
  'events',
  'settlements',
  'attempts',
];
const LONGEST_DELAY_MINUTES = 45;
/** The limit counts real minutes, in which weeks go by here. */
const MOST_REQUESTS = 10_000_000;

/** Opens a world on a database of its own. */
export async function openWorld(settings: Settings): Promise<World> {
  const database = await testDatabase();
  const pool = openDb(database.url, 1);
  await pool.transaction(noteTouched);
  await pool.transaction(leaveRowsWhereTheyAre);
  const db = oneAtATime(pool);
  const clock: World['clock'] = { at: settings.start, now: () => clock.at };
  const chance = makeChance(settings.seed);
  const history = new History(clock.now);
  const troubles = new Troubles(chance, history, clock.now);
  const agenda = new Agenda();
  const world = { db, clock, troubles, agenda };
  const platform = makePlatform(db, clock, chance, history);
  const notify = teller(world);
  const issuer = new SimulatedIssuer(troubles, agenda);
  tellOfMoney(issuer, notify);
  const tell = (bankId: string, kind: string, id: string): void =>
    notify(`bank:${bankId}`, id, { resources: [{ kind, id }] });
  const banks = new Map(
    BANKS.map((id) => [id, new SimulatedBank(id, issuer, { troubles, agenda, tell })]),
  );
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
    backUp: () => database.backUp(),
    async close() {
      await pool.close();
      await database.drop();
    },
  };
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

/** Once a virtual day somebody tidies up, as PostgreSQL would by itself. */
export async function tidyUp(db: Db): Promise<void> {
  for (const name of BUSY_TABLES) await db.read((tx) => tx.run(`VACUUM (ANALYZE) ${name}`));
}

function makePlatform(
  db: QuietDb,
  clock: World['clock'],
  chance: Chance,
  history: History,
): Platform & { db: QuietDb } {
  const config: Config = { ...readConfig({}), rateLimitPerMinute: MOST_REQUESTS };
  const vault = makeVault(new Map([['k1', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2));
  let drawn = 0;
  const fill = (buffer: Buffer): void => {
    drawn += 1;
    chance.bytes(buffer.length, 'id', drawn).copy(buffer);
  };
  const log = makeLog('error', {
    write: (line) => history.count(`log: ${(JSON.parse(line) as { msg?: string }).msg}`),
  });
  return { db, clock, ids: makeIds(fill), vault, log, config, wake: () => undefined };
}

type Notify = (source: string, id: string, body: object) => void;

/** Notices come late, twice, in another order, or not at all; each is stored as over HTTP. */
function teller({
  db,
  clock,
  troubles,
  agenda,
}: Pick<World, 'db' | 'clock' | 'troubles' | 'agenda'>): Notify {
  const { chance } = troubles;
  return (source, id, body) => {
    const notificationId = `${id}-${troubles.countOf(source, id)}`;
    const about = [source, notificationId] as const;
    if (troubles.strikes('noticeLost', ...about)) return;
    const times = troubles.strikes('noticeRepeated', ...about) ? 3 : 1;
    for (let time = 0; time < times; time++) {
      const isPrompt = chance.happens(0.5, ...about, time, 'prompt');
      const minutes = isPrompt ? 0 : chance.whole(1, LONGEST_DELAY_MINUTES, ...about, time);
      const again = time === 2 ? `${notificationId}-again` : notificationId;
      const notice = { source, notificationId: again, body: JSON.stringify(body) };
      agenda.add(clock.at.add({ minutes }), `notice ${again} ${time}`, () =>
        db.transaction((tx) => receiveNotifications(tx, clock.at, [notice])),
      );
    }
  };
}

function tellOfMoney(issuer: SimulatedIssuer, notify: Notify): void {
  const tell = (id: string, notice: StoredNotice): void => notify(ISSUER_SOURCE, id, notice);
  issuer.onPayIn = ({ externalReference }, { movementId, amountPence, endToEndId }) =>
    tell(movementId, {
      kind: 'payin',
      externalReference,
      movementId,
      endToEndId: endToEndId ?? '',
      amountPence,
    });
  issuer.onPayOut = (externalReference, { movementId }) =>
    tell(movementId, { kind: 'movement', externalReference, movementId });
}
