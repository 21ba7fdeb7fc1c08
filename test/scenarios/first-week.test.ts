// Slow: covers a week of a whole installation.
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Agent, request } from 'undici';
import type { Program } from '../../chaos/program.ts';
import { Recollect } from '../../sdk/src/index.ts';
import { THIRD_PARTY } from '../../server/src/sandbox/partner-configs.ts';
import { freePorts } from '../../server/test-support/free-ports.ts';
import { FERNHILL } from '../../server/test-support/merchant.ts';
import { HAS_PROMETHEUS, startPrometheus } from '../../server/test-support/prometheus.ts';
import { until } from '../../server/test-support/until.ts';
import { type LiveModulr, startLiveModulr } from './live-modulr.ts';
import { type LiveWorld, openLiveWorld } from './live-world.ts';

// docs/guides/install-in-production.md, from the registration at a bank on, as a payment institution lives it: whole processes,
// a bank that is registered with, Modulr's fake.

const RULES = fileURLToPath(new URL('../../deploy/monitoring/alerts.yaml', import.meta.url));
const BANKS_ORG_ID = 'sandboxbanks';
const SCHEDULES = 3;
const A_DAY = Temporal.Duration.from({ hours: 26 }); // a day has 25 hours when the clocks go back
const NO_TIME = new Temporal.Duration();
const LONGEST_HOLIDAY_DAYS = 6;
const HELD_DAYS = 3;
const key = (id: string): string => `${id}:${randomBytes(32).toString('base64')}`;

interface Report {
  differences: { resolved_at: string | null }[];
  unknown: string | null;
}

describe('the first week of a payment institution', () => {
  let world: LiveWorld;
  let modulr: LiveModulr;
  let service: Program;
  let operatorUrl: string;
  let operatorKey: string;
  let merchantId: string;
  const keys = { k1: key('k1'), k2: key('k2') };

  const admin = async <T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> => {
    const { statusCode, body: answer } = await request(`${operatorUrl}/admin/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const content = await answer.text();
    assert.equal(statusCode, 200, content);
    return JSON.parse(content) as T;
  };
  const start = async (name: string): Promise<Program> => {
    const one = world.process(name, 'api,portal,engine', world.ports[0] ?? 0);
    one.start();
    await one.ready();
    return one;
  };
  const countOf = (kind: string): number => world.receiver.of(kind).length;
  /** Lets days pass until the merchant has heard of another settlement: one, or more over a holiday. */
  const untilSettled = async (): Promise<void> => {
    const before = countOf('settlement.success');
    for (
      let days = 0;
      days < LONGEST_HOLIDAY_DAYS && countOf('settlement.success') === before;
      days++
    )
      await nextDay();
    await until('the settlement is paid out', () => countOf('settlement.success') > before);
  };
  /** Lets a day pass, and waits for its collections. */
  const nextDay = async (): Promise<void> => {
    const before = countOf('collection.success');
    const at = world.clock.now().add(A_DAY).toZonedDateTimeISO('Europe/London');
    // Before 06:00 nothing is paid out: whenever the test begins, its days are looked at later.
    const morning = at.withPlainTime('07:00');
    const wait = Temporal.ZonedDateTime.compare(at, morning) < 0 ? at.until(morning) : NO_TIME;
    world.clock.step(A_DAY.add(wait));
    await until('the day is collected', () => countOf('collection.success') >= before + SCHEDULES);
  };

  before(async () => {
    world = await openLiveWorld(1, { front: [0], portal: [0] });
    modulr = await startLiveModulr(world);
    const [operatorPort = 0] = await freePorts(1);
    operatorUrl = `http://127.0.0.1:${operatorPort}`;
    Object.assign(world.settings, modulr.settings, {
      BANKS_FILE: join(world.dir, 'our-banks.json'),
      ENCRYPTION_KEYS: keys.k1,
      OPERATOR_PORT: String(operatorPort),
    });
  });
  after(async () => {
    await modulr?.close();
    await world?.close();
  });

  test('day 1: check-config names what lacks, the bank is registered with, and then nothing lacks', async () => {
    await assert.rejects(world.command('check-config'), /BANKS_FILE/);
    const { ca, clientCert: cert, clientKey } = world.folder.certificates;
    const signing = join(world.dir, 'our-signing.jwk.json');
    await writeFile(signing, JSON.stringify(world.folder.signing.privateJwk));
    const backChannel = `https://localhost:${world.partners.wires.bank.port}`;
    const statement = join(world.dir, 'statement.jws');
    await writeFile(statement, await softwareStatement(world, backChannel));
    await world.command(
      ...['bank', 'register', 'northbank', '--title', 'North Bank', '--statement', statement],
      ...['--discovery', `${backChannel}/northbank`, '--bank-org-id', BANKS_ORG_ID],
      ...['--resource-base', `${backChannel}/northbank/open-banking/v4.0/pisp`],
      ...['--ca', ca, '--cert', cert, '--key', clientKey, '--signing-key', signing],
    );
    assert.match(await world.command('bank', 'check', 'northbank'), /our signature/);
    await world.command('migrate');
    await world.command('check-config');
  });

  test('day 1: the first operator, the first merchant and its endpoint, by the APIs alone', async () => {
    operatorKey = JSON.parse(await world.command('operator', 'create', 'Robin Fern')).secret;
    service = await start('first');
    const { name, email, website, address, terms, settlementAccount } = FERNHILL;
    const made = await admin<{ merchant: { id: string }; api_key: string }>('POST', '/merchants', {
      ...{ name, email, website, address, terms },
      settlement_account: {
        sort_code: settlementAccount.sortCode,
        account_number: settlementAccount.accountNumber,
        name: settlementAccount.name,
      },
    });
    merchantId = made.merchant.id;
    const baseUrl = `http://127.0.0.1:${world.ports[0]}`;
    world.client = new Recollect({ apiKey: made.api_key, baseUrl });
    const endpoint = { url: 'https://shop.invalid/hooks' };
    world.receiver.secret = (await world.client.webhookEndpoints.create(endpoint)).secret;
  });

  test('day 2: customers agree at the bank, and are collected from into wallets at Modulr', async () => {
    await world.collectDaily(SCHEDULES);
    await until('the first collections', () => countOf('collection.success') === SCHEDULES);
    const wallets = [...modulr.fake.books.accounts.values()];
    assert.ok(wallets.some(({ externalReference }) => externalReference.includes('wal_')));
  });

  test('day 3: the next business day pays it out at Modulr', async () => {
    await untilSettled();
    const out = modulr.fake.books.payments.filter((one) =>
      one.externalReference.startsWith('set_'),
    );
    assert.ok(out.length >= 1 && out.every(({ status }) => status === 'PROCESSED'));
  });

  test('day 4: a bank that is stopped alerts and is sent nothing; resumed, it is paid', async () => {
    const reason = 'The bank told us of duplicate debits, ticket 4711';
    await admin('POST', '/banks/northbank/stop', { reason });
    const before = countOf('collection.success');
    world.clock.step(A_DAY);
    await until('the day is due', async () => {
      const { data } = await world.client.payments.list({ status: 'processing' });
      return (
        data.length + (await world.client.payments.list({ status: 'pending' })).data.length >=
        SCHEDULES
      );
    });
    const metrics = await (await request(`${operatorUrl}/metrics`)).body.text();
    assert.match(metrics, /recollect_bank_stopped\{bank="northbank"\} 1/);
    if (HAS_PROMETHEUS) {
      const prometheus = await startPrometheus([operatorUrl], RULES);
      await prometheus.waitFor(['RecollectBankStopped']).finally(() => prometheus.close());
    }
    assert.equal(countOf('collection.success'), before, 'nothing was sent');
    await admin('POST', '/banks/northbank/resume', { reason: 'The bank has mended it' });
    await until('it is collected', () => countOf('collection.success') === before + SCHEDULES);
  });

  test('day 5: pay-outs that are held stay in the wallet, and go out once released', async () => {
    const reason = 'The settlement account is in doubt, ticket 4712';
    await admin('POST', `/merchants/${merchantId}/hold_pay_outs`, { reason });
    const before = countOf('settlement.success');
    for (let days = 0; days < HELD_DAYS; days++) await nextDay();
    assert.equal(countOf('settlement.success'), before);
    await admin('POST', `/merchants/${merchantId}/release_pay_outs`, { reason: 'Confirmed' });
    await untilSettled();
  });

  test('day 6: the encryption key is replaced, and the old one retires', async () => {
    const again = async (name: string, ring: string[]): Promise<void> => {
      world.settings.ENCRYPTION_KEYS = ring.join(',');
      await service.stop();
      service = await start(name);
    };
    await again('with-both', [keys.k2, keys.k1]);
    await world.command('vault', 'rewrap');
    await world.command('keys', 'retire', 'k1');
    await again('with-k2', [keys.k2]);
    await nextDay();
  });

  test('day 6: what changes in the banks’ file is used without a restart', async () => {
    const file = world.settings.BANKS_FILE ?? '';
    const { banks } = JSON.parse(await readFile(file, 'utf8'));
    banks[0].name = 'Northern Bank';
    await writeFile(file, JSON.stringify({ banks }));
    await until('the new name is offered', async () => {
      const { name } = await admin<{ name: string }>('GET', '/banks/northbank');
      return name === 'Northern Bank';
    });
    await nextDay();
  });

  test('day 7: the books agree with each other and with Modulr, and the log tells who did what', async () => {
    await world.command('audit'); // fails if a law of money is broken
    const today = world.clock.now().toZonedDateTimeISO('Europe/London').toPlainDate();
    for (let ago = 1; ago <= 7; ago++) {
      const day = today.subtract({ days: ago });
      const path = `/reconciliation/reports/${day}/run`;
      const { differences, unknown } = await admin<Report>('POST', path);
      // What was under way when the service itself compared a day is resolved since.
      const open = differences.filter(({ resolved_at }) => resolved_at === null);
      assert.deepEqual([open, unknown], [[], null], String(day));
    }
    const { data } = await admin<{ data: { by: string; what: string }[] }>(
      'GET',
      '/activity?limit=100',
    );
    assert.ok(data.length >= 5);
    assert.deepEqual(world.receiver.faults, []);
  });
});

/** Downloads our software statement from the sandbox's directory, as one would from the real one. */
async function softwareStatement(world: LiveWorld, backChannel: string): Promise<string> {
  const { ca, clientCert, clientKey } = world.folder.certificates;
  const [caPem, cert, keyPem] = await Promise.all(
    [ca, clientCert, clientKey].map((path) => readFile(path, 'utf8')),
  );
  const dispatcher = new Agent({
    connect: { ca: caPem ?? '', cert: cert ?? '', key: keyPem ?? '' },
  });
  const { org_id: org, software_id: software } = THIRD_PARTY;
  const path = `/directory/organisation/tpp/${org}/software-statement/${software}/software-statement-assertion`;
  const { body } = await request(backChannel + path, { dispatcher });
  return body.text().finally(() => dispatcher.close());
}
