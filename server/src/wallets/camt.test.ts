import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CamtError, type CamtStatement, readCamt, readCamtFiles } from './camt.ts';

const money = (code: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">${amount}</Amt>
   <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-10</Dt></Dt></Bal>`;

/** The part that differs between the versions: an entry's status is a separate code since 001.08. */
const SIMPLE = '<Sts>BOOK</Sts>';
const CODE = '<Sts><Cd>BOOK</Cd></Sts>';
const STATUS = { '02': SIMPLE, '04': SIMPLE, '08': CODE, '10': CODE, '13': CODE };
type Version = keyof typeof STATUS;

const entry = (version: Version, fields = ''): string =>
  `<Ntry><Amt Ccy="GBP">49.99</Amt><CdtDbtInd>CRDT</CdtDbtInd>${STATUS[version]}
   <BookgDt><Dt>2026-01-10</Dt></BookgDt><AcctSvcrRef>mov_1</AcctSvcrRef>${fields}
   <NtryDtls><TxDtls><Refs><EndToEndId>pay_1-a1</EndToEndId></Refs></TxDtls></NtryDtls></Ntry>`;

const file = (version: Version, entries = entry(version), head = ''): string =>
  `<?xml version="1.0" encoding="UTF-8"?>${head}
   <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.${version}"><BkToCstmrStmt><GrpHdr/>
   <Stmt><Id>1</Id><Acct><Id><Othr><Id>wal_1</Id></Othr></Id></Acct>
   ${money('OPBD', '0')}${money('CLBD', '49.99')}${entries}</Stmt></BkToCstmrStmt></Document>`;

for (const version of ['02', '04', '08', '10', '13'] as const)
  test(`a statement of the version 001.${version} is read`, () => {
    const [statement, ...others] = readCamt(file(version));
    assert.deepEqual(others, []);
    assert.deepEqual(
      {
        ...statement,
        from: `${statement?.from}`,
        to: `${statement?.to}`,
        entries: statement?.entries.map((e) => ({ ...e, bookedOn: `${e.bookedOn}` })),
      },
      {
        account: 'wal_1',
        from: '2026-01-10',
        to: '2026-01-10',
        openingPence: 0,
        closingPence: 4999,
        entries: [
          {
            place: 'Document/BkToCstmrStmt/Stmt[1]/Ntry[1]',
            direction: 'credit',
            amountPence: 4999,
            bookedOn: '2026-01-10',
            endToEndId: 'pay_1-a1',
            servicerReference: 'mov_1',
          },
        ],
        unread: [],
      },
    );
  });

test('what an entry is for is read from wherever a bank writes it', () => {
  const remittance = (inside: string): string | undefined => {
    const [found] = readCamt(file('08', entry('08').replace('</Refs>', `</Refs>${inside}`)));
    return found?.entries[0]?.remittance;
  };
  const ref = '<CdtrRefInf><Ref>S260330</Ref></CdtrRefInf>';
  assert.equal(remittance(`<RmtInf><Ustrd>Rent</Ustrd><Ustrd> May </Ustrd></RmtInf>`), 'Rent May');
  assert.equal(remittance(`<RmtInf><Strd>${ref}</Strd></RmtInf>`), 'S260330');
  assert.equal(remittance('<AddtlTxInf>FPI</AddtlTxInf>'), 'FPI');
  assert.equal(remittance(''), undefined);
});

test('an entry that is a batch is one for each of its payments', () => {
  const one = (id: string, amount: string): string =>
    `<TxDtls><Refs><AcctSvcrRef>${id}</AcctSvcrRef><EndToEndId>NOTPROVIDED</EndToEndId></Refs>
     <Amt Ccy="GBP">${amount}</Amt></TxDtls>`;
  const batch = entry('08').replace(
    /<NtryDtls>.*<\/NtryDtls>/s,
    `<NtryDtls>${one('a', '20.00')}${one('b', '29.99')}</NtryDtls>`,
  );
  const [statement] = readCamt(file('08', batch));
  assert.deepEqual(
    statement?.entries.map((e) => [e.servicerReference, e.amountPence, e.endToEndId]),
    [
      ['a', 2000, null],
      ['b', 2999, null],
    ],
  );
});

for (const [what, of, why] of [
  [
    'less a charge',
    ['<Amt Ccy="GBP">20.00</Amt>', '<Amt Ccy="GBP">29.98</Amt>'],
    'its 2 TxDtls are 4998 pence together',
  ],
  [
    'of which an amount is missing',
    ['<Amt Ccy="GBP">20.00</Amt>', ''],
    /TxDtls\[2\]\/Amt must be in GBP/,
  ],
  ['in another currency', ['<Amt Ccy="EUR">49.99</Amt>', ''], /TxDtls\[1\]\/Amt must be in GBP/],
] as const)
  test(`a batch ${what} stays one entry that says why`, () => {
    const parts = of.map((one) => `<TxDtls>${one}</TxDtls>`).join('');
    const batch = entry('08').replace(/<NtryDtls>.*<\/NtryDtls>/s, `<NtryDtls>${parts}</NtryDtls>`);
    const [statement] = readCamt(file('08', batch));
    const [one, ...others] = statement?.entries ?? [];
    assert.deepEqual([others, statement?.unread], [[], []]);
    assert.deepEqual(
      [one?.amountPence, one?.servicerReference, one?.endToEndId],
      [4999, 'mov_1', null],
    );
    if (typeof why === 'string') assert.equal(one?.whole, why);
    else assert.match(one?.whole ?? '', why);
  });

for (const [written, pence] of [
  ['000000000000149.87', 14987],
  ['+10.00', 1000],
  ['.50', 50],
  ['5.', 500],
  ['7', 700],
  ['0.1', 10],
  [' 12.30 ', 1230],
  ['49.99000000', 4999],
  ['00', 0],
  ['-0.00', 0],
] as const)
  test(`the amount "${written}" is ${pence} pence`, () => {
    const [statement] = readCamt(file('02', entry('02').replace('49.99', written)));
    assert.deepEqual(
      [statement?.entries.map((one) => one.amountPence), statement?.unread],
      [[pence], []],
    );
  });

for (const written of ['', '.', '+', '-1.00', '1e2', '1,50', '49.999', '0x10', '9'.repeat(30)])
  test(`the amount "${written}" cannot be read`, () => {
    const [statement] = readCamt(file('02', entry('02').replace('49.99', written)));
    assert.match(statement?.unread?.[0]?.why ?? '', /Ntry\[1\]\/Amt must be an amount/);
    assert.equal(`${statement?.unread?.[0]?.bookedOn}`, '2026-01-10');
  });

test('an amount of many zeros is refused at once', () => {
  const started = performance.now();
  readCamt(file('02', entry('02').replace('49.99', `0.${'0'.repeat(200_000)}x`)));
  assert.ok(performance.now() - started < 2000);
});

for (const [what, written, day] of [
  ['a date', '<Dt>2026-07-01</Dt>', '2026-07-01'],
  ['a date with an offset', '<Dt>2026-07-01+02:00</Dt>', '2026-07-01'],
  ['a date in UTC', '<Dt>2026-07-01Z</Dt>', '2026-07-01'],
  ['an instant after midnight in London', '<DtTm>2026-06-30T23:30:00Z</DtTm>', '2026-07-01'],
  ['an instant before it', '<DtTm>2026-07-01T00:30:00+02:00</DtTm>', '2026-06-30'],
  ['an instant in winter', '<DtTm>2026-01-10T23:30:00.123456789012Z</DtTm>', '2026-01-10'],
  ['an instant across the world', '<DtTm>2026-01-11T09:00:00+14:00</DtTm>', '2026-01-10'],
  ['a London time', '<DtTm>2026-06-30T23:30:00</DtTm>', '2026-06-30'],
  ['the end of a day', '<DtTm>2026-06-30T24:00:00</DtTm>', '2026-07-01'],
  ['the end of a day in UTC', '<DtTm>2026-01-09T24:00:00Z</DtTm>', '2026-01-10'],
] as const)
  test(`${what} is booked on its London day`, () => {
    const one = entry('02').replace('<Dt>2026-01-10</Dt>', written);
    const [statement] = readCamt(file('02', one));
    assert.deepEqual(
      statement?.entries.map((e) => `${e.bookedOn}`),
      [day],
    );
  });

for (const written of [
  '<Dt>2026-02-30</Dt>',
  '<Dt>20260701</Dt>',
  '<DtTm>2026-07-01T25:00:00Z</DtTm>',
  '<DtTm>2026-07-01</DtTm>',
  '',
])
  test(`the booking date "${written}" cannot be read`, () => {
    const one = entry('02').replace('<Dt>2026-01-10</Dt>', written);
    const [statement] = readCamt(file('02', one));
    assert.match(statement?.unread?.[0]?.why ?? '', /Ntry\[1\]\/BookgDt must be a date/);
    assert.equal(statement?.unread?.[0]?.signedPence, 4999);
  });

test('an entry without a booking date is booked on its value date, else on the day of its statement', () => {
  const without = (instead: string): string =>
    entry('02').replace('<BookgDt><Dt>2026-01-10</Dt></BookgDt>', instead);
  const dayOf = (one: string) => `${readCamt(file('02', one))[0]?.entries[0]?.bookedOn}`;
  assert.equal(dayOf(without('<ValDt><Dt>2026-01-09</Dt></ValDt>')), '2026-01-09');
  assert.equal(dayOf(without('')), '2026-01-10');
});

/** A statement of an account, with any balances and entries. */
const stmt = (account: string, inside: string, id = account): string =>
  `<Stmt><Id>${id}</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>${inside}</Stmt>`;
const fileOf = (statements: string, head = ''): string =>
  file('08').replace(/<GrpHdr\/>.*<\/Stmt>/s, `<GrpHdr>${head}</GrpHdr>${statements}`);

test('an account in another currency is left out by its name', () => {
  const euros = stmt('wal_eur', `${money('OPBD', '0')}${entry('08')}`).replaceAll('GBP', 'EUR');
  const pounds = stmt('wal_1', `${money('OPBD', '0')}${money('CLBD', '49.99')}${entry('08')}`);
  const { statements, leftOut } = readCamtFiles([fileOf(`${euros}${pounds}`)]);
  assert.deepEqual(
    statements.map(({ account, entries }) => [account, entries.length]),
    [['wal_1', 1]],
  );
  assert.deepEqual(leftOut, ['wal_eur: it is in EUR']);
  const named = pounds.replace('</Id></Acct>', '</Id><Ccy>USD</Ccy></Acct>');
  assert.throws(
    () => readCamt(fileOf(named)),
    /no account in GBP: the file holds wal_1: it is in USD/,
  );
});

test('the pages of a statement are one statement, and what is missing of them is named', () => {
  const page = (number: number, isLast: boolean, inside: string): string =>
    stmt('wal_1', inside).replace(
      '</Id><Acct>',
      `</Id><StmtPgntn><PgNb>${number}</PgNb><LastPgInd>${isLast}</LastPgInd></StmtPgntn><Acct>`,
    );
  const first = page(1, false, `${money('OPBD', '0')}${money('ITBD', '49.99')}${entry('08')}`);
  const second = page(2, true, `${money('ITBD', '49.99')}${money('CLBD', '99.98')}${entry('08')}`);
  const shown = (all: CamtStatement[]) =>
    all.map((one) => [one.openingPence, one.closingPence, one.entries.length, one.lacks]);
  assert.deepEqual(shown(readCamt(fileOf(`${second}${first}`))), [[0, 9998, 2, undefined]]);
  const apart = readCamtFiles([fileOf(first), fileOf(second)]);
  assert.deepEqual(shown(apart.statements), [[0, 9998, 2, undefined]]);
  assert.deepEqual(shown(readCamt(fileOf(first))), [
    [0, null, 1, 'what comes after page 1 is missing'],
  ]);
  assert.deepEqual(shown(readCamt(fileOf(second))), [[null, 9998, 1, 'page 1 is missing']]);
});

test('pages without numbers are one statement too, and two whole statements of an account stay two', () => {
  const [open, close] = [money('OPBD', '0'), money('CLBD', '99.98')];
  const pages = `${stmt('wal_1', `${open}${entry('08')}`)}${stmt('wal_1', `${entry('08')}${close}`)}`;
  assert.deepEqual(
    readCamt(fileOf(pages)).map((one) => [one.openingPence, one.closingPence, one.entries.length]),
    [[0, 9998, 2]],
  );
  const whole = stmt('wal_1', `${open}${money('CLBD', '49.99')}${entry('08')}`);
  assert.equal(readCamt(fileOf(`${whole}${whole}`)).length, 2);
});

test('a message of which a file is missing is not whole', () => {
  const whole = stmt('wal_1', `${money('OPBD', '0')}${money('CLBD', '49.99')}${entry('08')}`);
  const head = '<MsgPgntn><PgNb>1</PgNb><LastPgInd>false</LastPgInd></MsgPgntn>';
  assert.match(readCamt(fileOf(whole, head))[0]?.lacks ?? '', /after page 1 is missing/);
  const last = '<MsgPgntn><PgNb>1</PgNb><LastPgInd>true</LastPgInd></MsgPgntn>';
  assert.equal(readCamt(fileOf(whole, last))[0]?.lacks, undefined);
});

test('a statement is of the days of its period, else of its balances', () => {
  const days = (inside: string): string => {
    const [one] = readCamt(fileOf(stmt('wal_1', inside)));
    return `${one?.from} ${one?.to}`;
  };
  const period = (from: string, to: string): string =>
    `<FrToDt><FrDtTm>${from}</FrDtTm><ToDtTm>${to}</ToDtTm></FrToDt>`;
  assert.equal(days(period('2026-07-01T00:00:00', '2026-07-02T00:00:00')), '2026-07-01 2026-07-01');
  assert.equal(
    days(period('2026-06-30T23:00:00Z', '2026-07-01T22:59:59Z')),
    '2026-07-01 2026-07-01',
  );
  assert.equal(days(period('2026-06-29T00:00:00', '2026-07-05T23:59:59')), '2026-06-29 2026-07-05');
  assert.equal(days(money('CLBD', '0')), '2026-01-10 2026-01-10');
  const before = money('PRCD', '0').replace('2026-01-10', '2026-01-09');
  assert.equal(days(`${before}${money('CLBD', '0')}`), '2026-01-10 2026-01-10');
  assert.equal(days(''), 'undefined undefined');
});

test('what of an entry cannot be read leaves the other entries as they are', () => {
  const wrong: [string, RegExp][] = [
    [entry('08').replace('CRDT', 'CR'), /Ntry\[1\]\/CdtDbtInd must be CRDT or DBIT/],
    [entry('08').replace(STATUS['08'], ''), /Ntry\[1\]\/Sts is missing/],
    [entry('08').replace('BOOK', 'BOOKED'), /Ntry\[1\]\/Sts must be BOOK/],
    [entry('08').replace('GBP', 'EUR'), /Ntry\[1\]\/Amt must be in GBP/],
  ];
  for (const [one, why] of wrong) {
    const [statement] = readCamt(file('08', `${one}${entry('08')}`));
    assert.equal(statement?.entries.length, 1);
    assert.match(statement?.unread?.[0]?.why ?? '', why);
  }
});

test('a statement without balances has none', () => {
  for (const [code, at] of [
    ['OPBD', 'openingPence'],
    ['CLBD', 'closingPence'],
  ] as const)
    assert.equal(readCamt(file('08').replace(code, 'ITAV'))[0]?.[at], null);
});

test('what is not booked yet is left for another statement', () => {
  const pending = entry('02').replace('BOOK', 'PDNG');
  assert.deepEqual(readCamt(file('02', pending))[0]?.entries, []);
});

test('a wrong file is refused with the element that is wrong', () => {
  const good = file('08');
  const wrong: [string, RegExp][] = [
    ['not xml at all', /not well-formed|Document is missing/],
    [good.replace('</Ntry>', ''), /line \d+: the file is not well-formed/],
    [good.replaceAll('Document', 'Documents'), /Document is missing/],
    [good.replace('camt.053', 'camt.052'), /namespace is none of/],
    [good.replaceAll('Stmt>', 'Stmts>'), /BkToCstmrStmt is missing/],
    [good.replace(/<Acct>.*<\/Acct>/s, ''), /Stmt\[1\]\/Acct is missing/],
  ];
  for (const [xml, why] of wrong)
    assert.throws(
      () => readCamt(xml),
      (error) => error instanceof CamtError && why.test(error.message),
      String(why),
    );
});

test('no entity is ever expanded: neither a file of this machine nor a billion laughs', () => {
  const outside = '<!DOCTYPE Document [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  const refersTo = entry('08').replace('mov_1', '&x;');
  assert.throws(() => readCamt(file('08', refersTo, outside)), /has a DOCTYPE/);
  const laughs = Array.from(
    { length: 9 },
    (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`,
  ).join('');
  const bomb = `<!DOCTYPE Document [<!ENTITY l0 "lol">${laughs}]>`;
  const started = performance.now();
  assert.throws(() => readCamt(file('08', refersTo, bomb)), /has a DOCTYPE/);
  assert.ok(performance.now() - started < 1000);
});

test('elements without end in each other are refused, and not read', () => {
  const deep = `<RmtInf>${'<a>'.repeat(5000)}${'</a>'.repeat(5000)}</RmtInf>`;
  const xml = file('08', entry('08').replace('</Refs>', `</Refs>${deep}`));
  assert.throws(() => readCamt(xml), CamtError);
});

test('the five entities that XML always has are read', () => {
  const [statement] = readCamt(file('08', entry('08').replace('mov_1', 'a&amp;b')));
  assert.equal(statement?.entries[0]?.servicerReference, 'a&b');
});
