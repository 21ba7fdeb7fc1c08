// Measures the resolution pack of a service with ten million postings and 200,000 clients who are owed money, as of now and as
// of a month ago: `npx -c "node bench/pack.ts"`, or with another number of postings.
import { program, wholeNumber } from '../scripts/arguments.ts';
import { sealIdentity, sealProfile } from '../server/src/customers/sealed.ts';
import type { Tx } from '../server/src/platform/db/db.ts';
import { firstId } from '../server/src/platform/values/ids.ts';
import { makePack } from '../server/src/safeguarding/pack/pack.ts';
import { OUTSIDE } from '../server/src/wallets/ledger-store.ts';
import { ensureTemplate } from '../server/test-support/database.ts';
import { type Harness, openHarness } from '../server/test-support/harness.ts';
import { asOwner } from '../server/test-support/owner.ts';
import { useSharedServer } from '../server/test-support/shared-server.ts';

const NOW = '2026-06-15T12:00:00Z';
const DAYS = 365;
const CLIENTS = 200_000;
const TARGET_S = 60;

const { args } = program('pack', 'Measures the resolution pack.')
  .argument('[postings]', 'how many postings', wholeNumber, 10_000_000)
  .parse();
const postings = Number(args[0] ?? 10_000_000);

const server = await useSharedServer();
process.env.RECOLLECT_TEST_POSTGRES = server.url;
await ensureTemplate(server.url);
const h = await openHarness(NOW);
try {
  const began = performance.now();
  await fill(h);
  console.log(`filled ${postings} postings in ${secondsSince(began)} s`);
  for (const days of [0, 30]) await measure(h, h.clock.at.subtract({ hours: 24 * days }));
} finally {
  await h.close();
  await server.leave(true);
}

function secondsSince(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

async function fill({ db, platform, merchantId, clock }: Harness): Promise<void> {
  await db.transaction((tx) => insertClients(tx));
  for (let day = 0; day < DAYS; day++) {
    const at = clock.at.subtract({ hours: 24 * (DAYS - day) });
    await db.transaction((tx) =>
      tx.run(
        // The part of an id that tells the moment, and a number after it.
        `INSERT INTO transfers (merchant_id, transfer_id, kind, debit_account_id, credit_account_id, amount_pence, source_id, at)
         SELECT $1, left($2, 13) || lpad(n::text, 13, '0'), CASE WHEN n % 2 = 0 THEN 'pay_in' ELSE 'give_back' END,
           CASE WHEN n % 2 = 0 THEN $3 ELSE wallet END, CASE WHEN n % 2 = 0 THEN wallet ELSE $3 END, 1250,
           'pay_' || $4::int || '_' || n, $5
         FROM generate_series(1, $6::int) n,
           LATERAL (SELECT 'wal_' || lpad((n / 2 * 7919::bigint % ${CLIENTS})::text, 22, '0') AS wallet) w`,
        [merchantId, firstId('trf', at), OUTSIDE, day, at, Math.floor(postings / DAYS)],
      ),
    );
  }
  await asOwner(db, (tx) => tx.run('VACUUM (ANALYZE)'));

  async function insertClients(tx: Tx): Promise<void> {
    const { sealed } = sealIdentity(platform, merchantId, 'phone', '+447700900123');
    const profile = { name: 'Robin Lee', email: 'robin@x.example', reference: null, notes: null };
    const people = Array.from({ length: CLIENTS }, () =>
      sealProfile(platform, merchantId, profile),
    );
    await tx.run(
      `INSERT INTO customers (merchant_id, customer_id, phone, phone_index, name, email, created_at)
       SELECT $1, 'cus_' || lpad(n::text, 22, '0'), $2, int4send(n::int), name, email, $5
       FROM unnest($3::text[], $4::text[]) WITH ORDINALITY AS p (name, email, n)`,
      [
        merchantId,
        sealed,
        people.map(({ name }) => name),
        people.map(({ email }) => email),
        clock.at,
      ],
    );
    const wallet = `'wal_' || lpad(n::text, 22, '0')`;
    await tx.run(
      `INSERT INTO wallets (merchant_id, wallet_id, customer_id, status, issuer_wallet_id, account, created_at, opened_at)
       SELECT $1, ${wallet}, 'cus_' || lpad((n + 1)::text, 22, '0'), 'open', 'iw-' || n, 'sealed', $2, $2
       FROM generate_series(0, ${CLIENTS - 1}) n`,
      [merchantId, clock.at],
    );
    await tx.run(
      `INSERT INTO accounts (merchant_id, account_id, kind, balance_pence)
       SELECT $1, ${wallet}, 'customer_wallet', 1250 FROM generate_series(0, ${CLIENTS - 1}) n`,
      [merchantId],
    );
  }
}

async function measure({ db, platform, clock }: Harness, asOf: Temporal.Instant): Promise<void> {
  const began = performance.now();
  let bytes = 0;
  await db.snapshot(async (tx) => {
    for await (const { content } of makePack(platform, tx, { asOf, now: clock.at }))
      for await (const piece of content) bytes += Buffer.byteLength(piece);
  });
  const megabytes = Math.round(bytes / 1e6);
  console.log(`as of ${asOf}: ${secondsSince(began)} s of ${TARGET_S}, ${megabytes} MB`);
}
