import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Recollect } from '@recollect/sdk';
import { type Harness, openHarness } from '../../server/test-support/harness.ts';
import { type HttpSide, openHttp } from '../../server/test-support/http-side.ts';
import { asOwner } from '../../server/test-support/owner.ts';

let h: Harness;
let http: HttpSide;
let client: Recollect;
before(async () => {
  h = await openHarness('2026-01-05T09:30:00Z');
  http = await openHttp(h);
  client = new Recollect({ apiKey: h.merchantId, baseUrl: await http.listen() });
});
after(async () => {
  await http.close();
  await h.close();
});

const schedules = async (): Promise<number> =>
  (await http.call('GET', '/schedules?limit=1')).body.total;

test('a customer who is written in another way is the same line, and gets no second schedule', async () => {
  const before = await schedules();
  const statusOf = async (heading: string, line: string) => {
    const { lines } = await client.schedules.import(`${heading}\n${line}\n`);
    return [lines[0]?.status, lines[0]?.schedule_id, lines[0]?.errors] as const;
  };
  const byPhone =
    'customer_phone,customer_name,amount,frequency,description,start_date,metadata.a,metadata.b';
  const [status, id] = await statusOf(
    byPhone,
    '+447700900223,Łu Fern,12,monthly,Milk,2026-03-01,1,2',
  );
  assert.equal(status, 'created');
  for (const [heading, line] of [
    [byPhone, '+44 (0)7700 900223,Łu Fern,£12.00,Monthly,Milk,01/03/2026,1,2'],
    [byPhone, '0044 7700 900223,Łu Fern,12,monthly, Milk ,2026-03-01T09:00:00Z,1,2'],
    [
      byPhone,
      '\u202a07700\u2011900\u2011223\u202c,Łu Fern,12.0,monthly,Milk,2026-03-01T10:00:00+01:00,1,2',
    ],
    [
      'metadata.b,metadata.a,description,frequency,amount,start_date,customer_name,customer_phone',
      '2,1,Milk,monthly,12,1/3/2026,Łu\u00a0Fern,07700 900223',
    ],
  ] as const)
    assert.deepEqual(await statusOf(heading, line), ['existing', id, []], line);
  const byAccount =
    'import_reference,customer_sort_code,customer_account_number,amount,frequency,description';
  for (const reference of ['', 'B-1']) {
    const [made, first] = await statusOf(
      byAccount,
      `${reference},20-00-00,01234567,12,monthly,Rent`,
    );
    assert.equal(made, 'created');
    for (const account of [
      '200000,1234567',
      '20 00 00,0123 4567',
      "'200000,'01234567",
      '２０００００,01234567',
    ])
      assert.deepEqual(
        await statusOf(byAccount, `${reference},${account},12.00,monthly,Rent`),
        ['existing', first, []],
        account,
      );
  }
  assert.equal(await schedules(), before + 3);
});

test('a line that was recognised by its text before is still the same line', async () => {
  const line = 'X9,+44 7700 900224,12,monthly,Milk';
  const csv = `import_reference,customer_phone,amount,frequency,description\n${line}\n`;
  const { vault } = h.platform;
  await client.schedules.import(csv);
  const written = {
    amount: { value: 1200, currency: 'GBP' },
    frequency: { type: 'monthly' },
    customer: { type: 'phone', value: '+44 7700 900224' },
    description: 'Milk',
  };
  const context = `import:${h.merchantId}`;
  await asOwner(h.db, (tx) =>
    tx.run('UPDATE imported_lines SET content = $2 WHERE merchant_id = $1 AND line_key = $3', [
      h.merchantId,
      vault.index(JSON.stringify(written), context),
      vault.index('reference X9', context),
    ]),
  );
  assert.equal((await client.schedules.import(csv)).counts.existing, 1);
});

test('columns without a name that no line has anything in are left out, as are empty lines', async () => {
  const heading = '\ufeffcustomer_phone,amount,frequency,description,,\u00a0';
  const good = await client.schedules.import(
    `${heading}\n07700 900225,12,monthly,Milk,,\n,,,,,\n ,,,,,\n`,
    { checkOnly: true },
  );
  assert.deepEqual(good.counts, { valid: 1, created: 0, existing: 0, invalid: 0 });
  await assert.rejects(
    client.schedules.import(`${heading}\n07700 900225,12,monthly,Milk,,gold\n`, {
      checkOnly: true,
    }),
    /one without a name/,
  );
});

test('a name that begins with an apostrophe and a hyphen keeps it; what a spreadsheet escaped loses it', async () => {
  const heading = 'customer_phone,customer_name,amount,frequency,description';
  const { lines } = await client.schedules.import(
    `${heading}\n'+447700900226,'-Bar Club,12,monthly,'=Sum\n`,
    { checkOnly: true },
  );
  const [line] = lines;
  assert.deepEqual(
    [line?.customer, line?.description],
    [{ name: "'-Bar Club", email: null, phone: '+447700900226' }, '=Sum'],
  );
});

test('a line whose letters were lost on the way is refused, and the others are not', async () => {
  const { counts, lines } = await client.schedules.import(
    'customer_phone,customer_name,amount,frequency,description\n07700 900227,Zo\ufffd,12,monthly,Milk\n07700 900228,Zoë,12,monthly,Milk\n',
    { checkOnly: true },
  );
  assert.deepEqual([counts.valid, counts.invalid], [1, 1]);
  assert.match(lines[0]?.errors[0]?.reason ?? '', /UTF-8/);
});
