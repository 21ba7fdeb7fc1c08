import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CamtError, readCamt } from './camt.ts';

const money = (code: string, amount: string): string =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">${amount}</Amt>
   <CdtDbtInd>CRDT</CdtDbtInd><Dt><Dt>2026-01-10</Dt></Dt></Bal>`;

/** The part that differs between the versions: an entry's status is a separate code since 001.08. */
const STATUS = { '02': '<Sts>BOOK</Sts>', '08': '<Sts><Cd>BOOK</Cd></Sts>' };
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

for (const version of ['02', '08'] as const)
  test(`a statement of the version 001.${version} is read`, () => {
    const [statement, ...others] = readCamt(file(version));
    assert.deepEqual(others, []);
    assert.deepEqual(
      {
        ...statement,
        entries: statement?.entries.map((e) => ({ ...e, bookedOn: `${e.bookedOn}` })),
      },
      {
        account: 'wal_1',
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
      },
    );
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
  assert.throws(
    () => readCamt(file('08', batch.replace('29.99', '29.98'))),
    /Ntry\[1\]\/Amt is 4999 pence, its TxDtls are 4998 pence/,
  );
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
    [good.replace('camt.053', 'camt.052'), /namespace is neither/],
    [good.replaceAll('Stmt>', 'Stmts>'), /BkToCstmrStmt is missing/],
    [good.replace(/<Acct>.*<\/Acct>/s, ''), /Stmt\[1\]\/Acct is missing/],
    [good.replace('OPBD', 'ITBD'), /Stmt\[1\]\/Bal with the code OPBD is missing/],
    [good.replace('CLBD', 'CLAV'), /Stmt\[1\]\/Bal with the code CLBD is missing/],
    [
      good.replace(
        'Ccy="GBP">49.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>',
        'Ccy="EUR">49.99</Amt><CdtDbtInd>CRDT</CdtDbtInd><Sts>',
      ),
      /Ntry\[1\]\/Amt must be in GBP/,
    ],
    [file('08', entry('08').replace('49.99', '49.999')), /Ntry\[1\]\/Amt must be an amount/],
    [file('08', entry('08').replace('CRDT', 'CR')), /Ntry\[1\]\/CdtDbtInd must be CRDT or DBIT/],
    [
      file('08', entry('08').replace('2026-01-10', '2026-13-10')),
      /Ntry\[1\]\/BookgDt must be a date/,
    ],
    [file('08', entry('08').replace(STATUS['08'], '')), /Ntry\[1\]\/Sts is missing/],
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

test('the five entities that XML always has are read', () => {
  const [statement] = readCamt(file('08', entry('08').replace('mov_1', 'a&amp;b')));
  assert.equal(statement?.entries[0]?.servicerReference, 'a&b');
});
