import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importErrorsCsv, importLinksCsv, Recollect } from '@recollect/sdk';
import { program } from '../../server/src/app/cli/program.ts';
import { importLines } from '../../server/src/schedules/import/service.ts';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';
import { rowsRead } from '../../server/test-support/rows-read.ts';

// Monday 5 January 2026, 09:30 in London.
let h: Harness;
let http: HttpSide;
let client: Recollect;
let baseUrl: string;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  http = await openHttp(h);
  baseUrl = await http.listen();
  client = new Recollect({ apiKey: h.merchantId, baseUrl });
});
after(async () => {
  await http.close();
  await h.close();
});

const schedules = async (): Promise<number> =>
  (await http.call('GET', '/schedules?limit=1')).body.total;

const MIXED = [
  'Import reference;Customer phone;Customer name;Amount;Frequency;Day;Description;Start date;metadata.plan',
  'A1;07700 900123;Alex Fern;£1,049.99;Monthly;31;"Broadband; fibre";15/02/2026;gold',
  'A2;4.477E+11;Bo;12;monthly;;Broadband;;',
  'A3;+447700900125;Cy;49,99;fortnightly;;Broadband;31/02/2026;',
  '',
  'A4;447700900126;Di;12.5;weekly;7;"Milk',
  'and bread";2026-03-01;',
  'A4;+447700900127;Ed;12;weekly;;Milk;;',
].join('\r\n');

test('a check names each wrong cell by line and column, and creates nothing', async () => {
  const before = await schedules();
  const checked = await client.schedules.import(`\uFEFF${MIXED}`, { checkOnly: true });
  assert.deepEqual(checked.counts, { valid: 2, created: 0, existing: 0, invalid: 3 });
  assert.deepEqual(
    checked.lines.map(({ line, status }) => [line, status]),
    [
      [2, 'valid'],
      [3, 'invalid'],
      [4, 'invalid'],
      [6, 'valid'],
      [8, 'invalid'],
    ],
  );
  assert.deepEqual(importErrorsCsv(checked).split('\r\n'), [
    'line,import_reference,column,reason',
    '3,A2,customer_phone,"was shortened by the spreadsheet (such as 4.47E+11): format the column as text, and enter it again"',
    '4,A3,amount,"must have a point between pounds and pence, such as 49.99"',
    '4,A3,start_date,is no day of the calendar; the day comes before the month',
    '8,A4,import_reference,is the same as on line 6',
    '',
  ]);
  assert.equal(await schedules(), before);
});

test('an import creates what is valid, the same file again nothing, a corrected one what was missing', async () => {
  const before = await schedules();
  const first = await client.schedules.import(MIXED);
  assert.deepEqual(first.counts, { valid: 0, created: 2, existing: 0, invalid: 3 });
  const [alex, , , di] = first.lines;
  const { body } = await http.call('GET', `/schedules/${alex?.schedule_id}`);
  assert.deepEqual(body.amount, { value: 104_999, currency: 'GBP' });
  assert.deepEqual(body.frequency, { type: 'monthly', day: 31, interval: 1 });
  assert.equal(body.start_date, '2026-02-15T09:00:00.000Z');
  assert.equal(body.description, 'Broadband; fibre');
  assert.deepEqual(body.metadata, { plan: 'gold' });
  assert.equal(body.customer.name, 'Alex Fern');
  assert.equal(body.customer.value, '+447700900123');
  assert.equal(body.consent_url, alex?.consent_url);
  assert.equal(
    (await http.call('GET', `/schedules/${di?.schedule_id}`)).body.description,
    'Milk\nand bread',
  );

  const corrected = MIXED.replace('4.477E+11', '07700900124')
    .replace('49,99;fortnightly', '49.99;weekly')
    .replace('31/02', '28/02')
    .replace('\r\nA4;+447700900127', '\r\nA5;+447700900127');
  const again = await client.schedules.import(corrected);
  assert.deepEqual(again.counts, { valid: 0, created: 3, existing: 2, invalid: 0 });
  assert.equal(again.lines[0]?.schedule_id, alex?.schedule_id);
  assert.equal(again.lines[0]?.consent_url, alex?.consent_url);
  assert.equal(await schedules(), before + 5);
  const links = importLinksCsv(again).trim().split('\r\n');
  assert.equal(links.length, 6);
  assert.equal(
    links[1],
    `2,A1,Alex Fern,,'+447700900123,Broadband; fibre,1049.99,existing,${alex?.schedule_id},${alex?.consent_url}`,
  );

  const changed = await client.schedules.import(corrected.replace('1,049.99', '1,059.99'));
  assert.deepEqual(changed.lines[0]?.errors, [
    {
      column: 'import_reference',
      reason: `was imported before with other values, as ${alex?.schedule_id}: change that schedule instead`,
    },
  ]);
  assert.equal(await schedules(), before + 5);
});

test('a line is refused for what POST /schedules refuses, in the words of its columns', async () => {
  const { lines } = await client.schedules.import(
    [
      'customer_id,customer_phone,customer_sort_code,customer_account_number,amount,frequency,day,interval,description,end_date,limit_per_payment,customer_email,max_retries,statement_reference',
      'cus_unknown,,,,5,monthly,,,Tea,,,,,',
      ',,2011,12345678,0,hourly,32,,Tea,,,,11,?',
      ',,,,5,weekly,,,Tea,,,,,',
      'cus_1,+447700900123,,,5,weekly,,,Tea,,,,,',
      ',+447700900199,,,5,weekly,,,Tea,01/01/2026,,not an address,,',
      ',+447700900199,,,5,yearly,,,Tea,06/01/2026,,,,',
      ',+447700900199,,,5,weekly,,,Tea,,4,,,',
      ',+447700900199,,,5,weekly,,,Tea,,,,,,too wide',
    ].join('\n'),
  );
  const wrong = lines.map(({ errors }) => errors.map(({ column }) => column).sort());
  assert.deepEqual(wrong, [
    ['customer_id'],
    ['amount', 'customer_sort_code', 'day', 'frequency', 'max_retries', 'statement_reference'],
    ['customer_phone'],
    [null],
    ['customer_email', 'end_date'],
    ['end_date'],
    ['limit_per_payment'],
    [null],
  ]);
});

test('a line has a first payment, which needs an amount', async () => {
  const { lines } = await client.schedules.import(
    'customer_phone,amount,frequency,description,first_payment_amount,first_payment_description' +
      '\n07700 900188,12.50,monthly,Gym,29.00,Joining fee\n07700 900189,12.50,monthly,Gym,,Joining fee',
  );
  const wrong = lines.map(({ errors }) => errors.map(({ column }) => column));
  assert.deepEqual(wrong, [[], ['first_payment_amount']]);
  const made = await client.schedules.get(lines[0]?.schedule_id ?? '');
  assert.equal(made.first_payment?.amount.value, 2900);
  assert.equal(made.first_payment.description, 'Joining fee');
});

test('a file of several pieces keeps its line numbers, and a repeated line is refused across them', async () => {
  const line = (n: number) => `+4477009${String(n).padStart(5, '0')},5,weekly,"Tea\nno. ${n}"`;
  const rows = Array.from({ length: 450 }, (_, n) => line(n));
  const file = ['customer_phone,amount,frequency,description', ...rows, line(3)].join('\r\n');
  const seen: number[] = [];
  const result = await client.schedules.import(file, {
    onProgress: ({ done }) => seen.push(done),
  });
  assert.deepEqual(result.counts, { valid: 0, created: 450, existing: 0, invalid: 1 });
  assert.deepEqual(seen, [200, 400, 451]);
  assert.equal(result.lines[449]?.line, 2 + 449 * 2);
  assert.deepEqual(result.lines[450]?.errors, [
    {
      column: null,
      reason: 'is the same as line 8: if both are meant, give each an import_reference',
    },
  ]);
});

test('an import that was interrupted is finished by the same file', async () => {
  const rows = Array.from({ length: 300 }, (_, n) => `+447700700${n + 100},5,weekly,Juice`);
  const file = ['customer_phone,amount,frequency,description', ...rows].join('\n');
  const stop = new AbortController();
  const interrupted = client.schedules.import(file, {
    signal: stop.signal,
    onProgress: () => stop.abort(),
  });
  await assert.rejects(interrupted, { name: 'AbortError' });
  const { counts } = await client.schedules.import(file);
  assert.deepEqual(counts, { valid: 0, created: 100, existing: 200, invalid: 0 });
});

test('lines that name one customer share it: what a later one adds is known, and each is a schedule of its own', async () => {
  const customers = async (): Promise<number> =>
    (await http.call('GET', '/customers?limit=1')).body.total;
  const [before, rows] = [
    await customers(),
    [
      '+447700600001,,,,Gil Harrow,,weekly',
      '+447700600001,,,,,gil@example.com,monthly',
      '+447700600001,,,,,,yearly',
      ',20-11-00,12345678,,Hana Marsh,,weekly',
    ],
  ];
  const heading =
    'customer_phone,customer_sort_code,customer_account_number,customer_id,customer_name,customer_email,frequency,amount,description';
  const file = (all: string[]): string =>
    [heading, ...all.map((row) => `${row},5,Rent`)].join('\n');
  const { lines, counts } = await client.schedules.import(file(rows));
  assert.equal(counts.created, 4);
  assert.equal(await customers(), before + 2);
  const [first, second, third, fourth] = await Promise.all(
    lines.map(async ({ schedule_id: id }) => (await http.call('GET', `/schedules/${id}`)).body),
  );
  const gil = { id: first.customer.id, name: 'Gil Harrow', email: 'gil@example.com' };
  for (const { customer } of [first, second, third])
    assert.deepEqual({ ...customer, ...gil }, customer);
  assert.equal(fourth.customer.account_number, '12345678');
  const { counts: more } = await client.schedules.import(file([`,,,${gil.id},,,daily`]));
  assert.equal(more.created, 1);
  assert.equal(await customers(), before + 2);
  const { body: found } = await http.call('GET', '/customers?q=Marsh');
  assert.deepEqual(
    found.data.map(({ id }: { id: string }) => id),
    [fourth.customer.id],
  );
  const trail = await h.db.read((tx) =>
    tx.rows<{ toState: string; isSchedule: boolean }>(
      `SELECT to_state, object_id = schedule_id AS is_schedule FROM state_changes
       WHERE merchant_id = $1 AND schedule_id = $2 ORDER BY change_id`,
      [h.merchantId, third.id],
    ),
  );
  assert.deepEqual(trail, [
    { toState: 'pending_consent', isSchedule: true },
    { toState: 'pending', isSchedule: false },
  ]);
});

test('an earlier consent covers as many lines as its limits allow, and the next line asks for its own', async () => {
  const shop = await h.merchant({ reuseConsent: true });
  const customer = { phone: '+447700600009' };
  const owner = await shop.agreed({ customer });
  await shop.update(owner.id, { amount: { value: 2000, currency: 'GBP' } });
  const csv = [
    'customer_phone,amount,frequency,description',
    ...[20, 21].map((pounds) => `+447700600009,${pounds},monthly,Extra`),
  ].join('\n');
  const { body } = await http.call('POST', '/schedules/import', { csv }, shop.merchantId);
  const [covered, beyond] = body.data;
  assert.deepEqual([covered.status, covered.consent_url], ['created', null]);
  assert.equal((await shop.show(covered.schedule_id)).status, 'active');
  assert.equal(beyond.status, 'created');
  assert.equal((await shop.show(beyond.schedule_id)).consent_url, beyond.consent_url);
});

test('into a new database too, a line reads a few schedules, however many came before it', async (t) => {
  const fresh = await openHarness();
  t.after(() => fresh.close());
  const { merchantId, clock, service } = fresh;
  const pieces = 6;
  for (let piece = 0; piece < pieces; piece++)
    await fresh.db.forMerchant(merchantId, async (tx) => {
      const rows = Array.from(
        { length: 200 },
        (_, n) => `+44779${piece}${String(n).padStart(6, '0')},5,weekly,Tea`,
      );
      const csv = ['customer_phone,amount,frequency,description', ...rows].join('\n');
      const before = await rowsRead(tx, ['schedules']);
      await importLines(service.schedules, { tx, now: clock.at, merchantId }, { csv });
      const read = (await rowsRead(tx, ['schedules'])) - before;
      if (piece === pieces - 1) assert.ok(read / 200 < 20, `${read / 200} schedules read for each`);
    });
});

test('two imports of one file at once create each schedule once', async () => {
  const before = await schedules();
  const rows = Array.from({ length: 30 }, (_, n) => `+4477008001${n + 10},5,weekly,Coffee`);
  const file = ['customer_phone,amount,frequency,description', ...rows].join('\n');
  const both = await Promise.all([client.schedules.import(file), client.schedules.import(file)]);
  assert.deepEqual(both.map(({ counts }) => counts.created).sort(), [0, 30]);
  assert.equal(await schedules(), before + 30);
});

test('a file that is none is refused as a whole', async () => {
  const refusal = async (csv: string): Promise<string> => {
    const { status, body } = await http.call('POST', '/schedules/import', { csv });
    assert.equal(status, 400);
    return body.error.details.csv;
  };
  assert.match(await refusal('07700900123,Alex\n'), /the columns amount, frequency, description$/);
  assert.match(
    await refusal('amount,frequency,description,colour\n'),
    /columns that no import has: colour/,
  );
  assert.match(await refusal('amount,frequency,description,Amount\n'), /the column amount twice/);
  assert.match(
    await refusal(`amount,frequency,description\n${'5,,\n'.repeat(201)}`),
    /at most 200/,
  );
  const cutOff = 'amount\n"5';
  await assert.rejects(client.schedules.import(cutOff), /quote that begins on line 2/);
});

test('the template of the guide is good', async () => {
  const guide = readFileSync(new URL('../../docs/guides/moving-in.md', import.meta.url), 'utf8');
  const [, template = ''] = /```csv\n(.*?)```/s.exec(guide) ?? [];
  const checked = await client.schedules.import(template, { checkOnly: true });
  assert.deepEqual(checked.counts, { valid: 2, created: 0, existing: 0, invalid: 0 });
});

test('another merchant knows nothing of the lines', async () => {
  const csv =
    'import_reference,customer_phone,amount,frequency,description\nA1,+447700900123,5,weekly,Tea';
  const { merchantId: other } = await h.merchant();
  const { body } = await http.call('POST', '/schedules/import', { csv, check_only: true }, other);
  assert.equal(body.data[0].status, 'valid');
});

test('recollect import checks a file, imports it, and writes problems and links', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-import-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const at = (name: string): string => join(folder, name);
  const rows = ['=A1,07700900300,5,weekly,Caf\u00e9', 'B2,07700900301,five,weekly,Tea'];
  const text = ['import_reference,customer_phone,amount,frequency,description', ...rows].join('\n');
  writeFileSync(at('customers.csv'), Buffer.from(text, 'latin1')); // as a spreadsheet of old saves it
  let printed = '';
  const write = t.mock.method(process.stdout, 'write', (said: string | Uint8Array) => {
    printed += said;
    return true;
  });
  t.mock.method(process.stderr, 'write', () => true);
  const run = async (...more: string[]): Promise<string> => {
    printed = '';
    const args = ['import', at('customers.csv'), '--url', baseUrl, ...more];
    await program({ RECOLLECT_API_KEY: h.merchantId }).parseAsync(args, { from: 'user' });
    return printed;
  };
  try {
    assert.equal(
      await run('--check'),
      '1 good, 0 imported before, 1 not good\n' +
        'line,import_reference,column,reason\r\n' +
        '3,B2,amount,"must be an amount in pounds, such as 49.99"\r\n',
    );
    const said = await run('--links', at('links.csv'), '--problems', at('problems.csv'));
    assert.equal(said, '1 created, 0 imported before, 1 not good\n');
    assert.equal(process.exitCode, 1);
  } finally {
    process.exitCode = undefined;
    write.mock.restore();
  }
  assert.match(readFileSync(at('problems.csv'), 'utf8'), /3,B2,amount/);
  const links = readFileSync(at('links.csv'), 'utf8').split('\r\n');
  assert.match(links[1] ?? '', /^2,'=A1,,,'\+447700900300,Café,5\.00,created,sch_\w+,http/);
});
