import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError } from '../../../platform/values/errors.ts';
import { readStatement } from './lines.ts';

/** Returns each credit as one line: place, day, amounts, text. */
const creditsOf = (text: string): string[] =>
  readStatement(text).credits.map(
    ({ place, date, pence, text: words }) => `${place} | ${date} | ${pence} | ${words}`,
  );

test('lines copied from a bank’s page have day, amounts and text, and what left the account is counted', () => {
  const pasted = `30/03/2026 FPI RECOLLECT S260330K7M2Q9XB £1,082.50  £2,000.00
    31 Mar 2026\tRENT\t-500.00

    sort code 08-99-99, 2026-04-01 S260401BBBBBBBB`;
  assert.deepEqual(creditsOf(pasted), [
    'Line 1 | 2026-03-30 | 108250,200000 | 30/03/2026 FPI RECOLLECT S260330K7M2Q9XB £1,082.50 £2,000.00',
    'Line 4 | 2026-04-01 |  | sort code 08-99-99, 2026-04-01 S260401BBBBBBBB',
  ]);
  assert.equal(readStatement(pasted).debits, 1);
});

test('a bank’s CSV is read whatever its columns are, and however many lines stand above the heading', () => {
  const split = `Account,08-99-99 66374958
Transaction Date,Transaction Type,Description,Debit Amount,Credit Amount,Balance
30/03/2026,FPI,"RECOLLECT, S260330K7M2Q9XB",,82.50,182.50
31/03/2026,DD,Rent,50.00,,132.50`;
  assert.deepEqual(creditsOf(split), [
    'Line 3 | 2026-03-30 | 8250 | FPI RECOLLECT, S260330K7M2Q9XB',
  ]);
  assert.equal(readStatement(split).debits, 1);
  const signed = 'Date;Memo;Amount\n2026-03-30;S260330K7M2Q9XB;"1,082.5"\n2026-03-31;Rent;-50';
  assert.deepEqual(creditsOf(signed), ['Line 2 | 2026-03-30 | 108250 | S260330K7M2Q9XB']);
  const sided =
    'Booked date\tAmount\tCR/DR\tText\n30 Mar 26\t82.50\tCR\tpaid\n30 Mar 26\t1.00\tDR\tfee';
  assert.deepEqual(creditsOf(sided), ['Line 2 | 2026-03-30 | 8250 | CR paid']);
});

test('a CSV without a heading is read line by line', () => {
  assert.deepEqual(creditsOf('30/03/2026,FPI S260330K7M2Q9XB,82.50\n31/03/2026,FPI,5.00'), [
    'Line 1 | 2026-03-30 | 8250 | 30/03/2026,FPI S260330K7M2Q9XB,82.50',
    'Line 2 | 2026-03-31 | 500 | 31/03/2026,FPI,5.00',
  ]);
});

test('a line whose amount cannot be read is named, and the others are read', () => {
  const { credits, unread } = readStatement('Date,Amount\n30/03/2026,eighty\n31/03/2026,5.00');
  assert.equal(credits.length, 1);
  assert.deepEqual(unread, [
    { place: 'Line 2', why: 'Line 2: “eighty” is no amount such as 1,234.50' },
  ]);
});

test('a day is never read with the month first, and none that the calendar does not have', () => {
  const dates = ['12/31/2026', '31/02/2026', 'soon'].map((day) => `${day} 5.00`).join('\n');
  assert.deepEqual(
    readStatement(dates).credits.map(({ date }) => date),
    [null, null, null],
  );
});

const camt = (entries: string, head = ''): string =>
  `<?xml version="1.0"?>${head}<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr/>
  <Stmt><Id>1</Id><Acct><Id><IBAN>GB33BUKB20201555555555</IBAN></Id><Ccy>GBP</Ccy></Acct>
  <FrToDt><FrDtTm>2026-03-30T00:00:00</FrDtTm><ToDtTm>2026-03-31T23:59:59</ToDtTm></FrToDt>${entries}</Stmt>
  </BkToCstmrStmt></Document>`;
const entry = (side: string, text: string, amount = '82.50'): string =>
  `<Ntry><Amt Ccy="GBP">${amount}</Amt><CdtDbtInd>${side}</CdtDbtInd><Sts><Cd>BOOK</Cd></Sts>
  <BookgDt><Dt>2026-03-30</Dt></BookgDt>
  <NtryDtls><TxDtls><RmtInf><Ustrd>${text}</Ustrd></RmtInf></TxDtls></NtryDtls></Ntry>`;

test('a camt.053 file gives its credits, its days, and what of it cannot be read', () => {
  const xml = camt(
    entry('CRDT', 'S260330K7M2Q9XB') + entry('DBIT', 'Rent') + entry('CRDT', '', 'x'),
  );
  const { format, credits, debits, unread, period } = readStatement(`\uFEFF${xml}`);
  assert.deepEqual([format, debits], ['camt', 1]);
  assert.deepEqual(creditsOf(xml), ['Stmt[1]/Ntry[1] | 2026-03-30 | 8250 | S260330K7M2Q9XB']);
  assert.equal(credits.length, 1);
  assert.deepEqual([`${period?.from}`, `${period?.to}`], ['2026-03-30', '2026-03-31']);
  assert.match(unread[0]?.why ?? '', /Ntry\[3\]\/Amt must be an amount/);
});

test('what is no statement is refused with the reason and the line', () => {
  const bomb =
    '<!DOCTYPE Document [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>';
  const many = Array.from({ length: 5001 }, () => '1.00').join('\n');
  const wrong: [string, RegExp][] = [
    [' \n', /is empty/],
    [camt(entry('CRDT', '&b;'), bomb), /has a DOCTYPE/],
    [camt('<Ntry>'), /line \d+: the file is not well-formed/],
    ['<html></html>', /Document is missing/],
    [camt('<a>'.repeat(2000) + '</a>'.repeat(2000)), /nested/],
    ['%PDF-1.7\0\0', /is no text/],
    ['Date,Amount\n"30/03/2026,5.00', /is not a CSV file: .*line 2/],
    [many, /more than 5000 lines/],
  ];
  for (const [text, why] of wrong)
    assert.throws(
      () => readStatement(text),
      (error) => error instanceof ApiError && why.test(error.details?.statement ?? ''),
      String(why),
    );
});
