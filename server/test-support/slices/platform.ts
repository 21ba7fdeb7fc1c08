import type { FastifyInstance } from 'fastify';
import Type from 'typebox';
import { type Config, readConfig } from '../../src/platform/config/config.ts';
import { openDb } from '../../src/platform/db/db.ts';
import { type Route, route } from '../../src/platform/http/calls/route.ts';
import { Fields } from '../../src/platform/http/schemas/schemas.ts';
import { type HttpParts, makeHttpServer } from '../../src/platform/http/server.ts';
import { makeLog } from '../../src/platform/log/log.ts';
import type { Platform } from '../../src/platform/platform.ts';
import type { Clock } from '../../src/platform/time/clock.ts';
import { makeIds } from '../../src/platform/values/ids.ts';
import { makeVault } from '../../src/platform/vault/vault.ts';
import { testDatabase } from '../database.ts';

/** A platform with a clock that the test sets and a count of wakes. */
export interface TestPlatform extends Platform {
  clock: Clock & { at: Temporal.Instant };
  woken: number;
}

/** Makes a platform for tests, without deliveries and notices. `config` overrides the defaults of an empty environment. */
export function testPlatform(url: string, config: Partial<Config> = {}): TestPlatform {
  const clock = {
    at: Temporal.Instant.from('2026-03-02T10:00:00Z'),
    now: () => clock.at,
  };
  const platform: TestPlatform = {
    db: openDb(url),
    clock,
    ids: makeIds(),
    vault: makeVault(new Map([['test', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2)),
    log: makeLog('silent'),
    config: { ...readConfig({}), ...config },
    fanOut: async () => undefined,
    notify: async () => 0,
    woken: 0,
    wake: () => {
      platform.woken++;
    },
  };
  return platform;
}

/** A platform for tests with its own database, dropped together with it. */
export interface OwnPlatform extends TestPlatform {
  drop(): Promise<void>;
}

/** Makes a platform with its own database. `config` overrides the defaults of an empty environment. */
export async function ownPlatform(config: Partial<Config> = {}): Promise<OwnPlatform> {
  const database = await testDatabase();
  const platform = testPlatform(database.url, config);
  const drop = async (): Promise<void> => {
    await platform.db.close();
    await database.drop();
  };
  return Object.assign(platform, { drop });
}

/** Inserts a merchant that is no more than a row. */
export async function bareMerchant(platform: Platform): Promise<string> {
  const merchantId = platform.ids.next('mer', platform.clock.now());
  await platform.db.transaction((tx) =>
    tx.run(
      `INSERT INTO merchants (merchant_id, name, legal_name, email, website, address, terms, settlement_account,
         created_at) VALUES ($1, 'Bare', '', '', '', '', '', '', $2)`,
      [merchantId, platform.clock.now()],
    ),
  );
  return merchantId;
}

/** Inserts schedules that are no more than rows, with their agendas; those that are there already stay. */
export async function bareSchedules(
  platform: Platform,
  merchantId: string,
  scheduleIds: readonly string[],
): Promise<void> {
  await platform.db.transaction(async (tx) => {
    const values = [merchantId, platform.clock.now()];
    await tx.run(
      `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, created_at) VALUES ($1, 'cus_1', '', '', $2)
       ON CONFLICT DO NOTHING`,
      values,
    );
    await tx.run(
      `WITH schedule AS (
         INSERT INTO schedules (merchant_id, schedule_id, customer_id, customer_type, status, description, max_retries,
           terms_version, created_at, updated_at)
         SELECT $1, s, 'cus_1', 'phone', 'active', '', 3, 1, $2, $2 FROM unnest($3::text[]) s
         ON CONFLICT DO NOTHING RETURNING merchant_id, schedule_id
       )
       INSERT INTO schedule_agenda (merchant_id, schedule_id) SELECT merchant_id, schedule_id FROM schedule`,
      [...values, scheduleIds],
    );
  });
}

const Note = Type.Object({ text: Type.String() });

/** Two endpoints over a table that every merchant has: they rename the merchant and read its name. */
export function noteRoutes(
  before: (text: string) => Promise<void> = async () => undefined,
): Route[] {
  const name = {
    method: 'GET',
    path: '/api/v1/note',
    summary: 'Read the note',
    tag: 'Notes',
    operationId: 'readNote',
    scope: 'merchant',
    permission: 'read',
    response: Note,
  } as const;
  return [
    route({
      ...name,
      handle: async ({ tx }) => {
        const rows = await tx.rows<{ text: string }>('SELECT name AS text FROM merchants');
        return { text: rows.map((row) => row.text).join() };
      },
    }),
    route({
      ...name,
      method: 'POST',
      proof: 'never',
      operationId: 'writeNote',
      body: Fields({ text: Type.String({ minLength: 1 }), colour: Type.Optional(Type.Integer()) }),
      check: (body): Record<string, string> => {
        const { text } = Object(body) as { text?: unknown };
        return text === 'bad' ? { text: 'must not be bad' } : {};
      },
      errors: ['not_found'],
      handle: async ({ tx, body }) => {
        await tx.run('UPDATE merchants SET name = name || $1', [body.text]);
        await before(body.text);
        const row = await tx.row<{ text: string }>('SELECT name AS text FROM merchants');
        return { text: row?.text ?? '' };
      },
    }),
  ];
}

/** Makes a server whose API keys are the ids of merchants. */
export async function testServer(
  platform: Platform,
  parts: Partial<HttpParts> = {},
): Promise<FastifyInstance> {
  return makeHttpServer({
    platform,
    routes: noteRoutes(),
    authenticate: async (token) =>
      token.startsWith('mer_') ? { merchantId: token, actorId: `key_of_${token}` } : null,
    checkResponses: true,
    ...parts,
  });
}
