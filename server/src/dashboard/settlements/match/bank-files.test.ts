import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readStatement } from './lines.ts';
import { matchStatement } from './match.ts';

/** A credit of 1,082.50 with our reference on 30 March, and a debit of 50.00 on 31 March, in the layout of each bank. */
const FILES: Readonly<Record<string, string>> = {
  Barclays: `Number,Date,Account,Amount,Subcategory,Memo
 ,30/03/2026,20-00-00 12345678,1082.50,Counter Credit,"RECOLLECT \t S260330K7M2Q9XB BGC"
 ,31/03/2026,20-00-00 12345678,-50.00,Payment,"RENT \t MARCH BBP"`,
  'Barclays, without a heading': `"30/03/2026","RECOLLECT S260330K7M2Q9XB","1,082.50"\r\n"31/03/2026","RENT","-50.00"\r\n`,
  HSBC: `Date,Type,Description,Paid out,Paid in,Balance
30 Mar 2026,CR,RECOLLECT S260330K7M2Q9XB,,"1,082.50","2,082.50"
31 Mar 2026,DD,RENT,50.00,,"2,032.50"`,
  Lloyds: `Transaction Date,Transaction Type,Sort Code,Account Number,Transaction Description,Debit Amount,Credit Amount,Balance
30/03/2026,FPI,'30-00-00,12345678,RECOLLECT S260330K7M2Q9XB,,1082.50,2082.50
31/03/2026,DD,'30-00-00,12345678,RENT,50.00,,2032.50`,
  NatWest: `\nDate, Type, Description, Value, Balance, Account Name, Account Number\n
30/03/2026,BAC,"'RECOLLECT , S260330K7M2Q9XB",1082.50,2082.50,"'FERNHILL LTD","'600000-12345678",
31/03/2026,D/D,"'RENT",-50.00,2032.50,"'FERNHILL LTD","'600000-12345678",`,
  Monzo: `Transaction ID,Date,Time,Type,Name,Category,Amount,Currency,Local amount,Local currency,Description,Money Out,Money In
tx_1,30/03/2026,09:12:01,Faster payment,RECOLLECT,Income,1082.50,GBP,1082.50,GBP,S260330K7M2Q9XB,,1082.50
tx_2,31/03/2026,10:00:00,Card payment,RENT,Bills,-50.00,GBP,-50.00,GBP,RENT,-50.00,`,
  Starling: `Date,Counter Party,Reference,Type,Amount (GBP),Balance (GBP),Spending Category,Notes
30/03/2026,Recollect,S260330K7M2Q9XB,FASTER PAYMENT,1082.50,2082.50,REVENUE,
31/03/2026,Rent,MARCH,DIRECT DEBIT,-50.00,2032.50,BILLS,`,
  Santander: `\uFEFFStatement period: 01/03/2026 to 31/03/2026;;;;;
Account,12345678;;;;;

Date;Description;Money in;Money Out;Balance;
30/03/2026;FASTER PAYMENTS RECEIPT REF S260330K7M2Q9XB;£1,082.50;;£2,082.50;
31/03/2026;DIRECT DEBIT RENT;;£50.00;£2,032.50;`,
  Nationwide: `"Account Name:","Business ****12345"
"Account Balance:","£2,032.50"
"Available Balance: ","£2,032.50"

"Date","Transaction type","Description","Paid out","Paid in","Balance"
"30 Mar 2026","Bank credit","RECOLLECT S260330K7M2Q9XB","","£1,082.50","£2,082.50"
"31 Mar 2026","Direct debit","RENT","£50.00","","£2,032.50"`,
  Tide: `Date,Timestamp,Transaction ID,Transaction description,Reference,Amount,Transaction type
2026-03-30,2026-03-30 09:12:01,b1,RECOLLECT,S260330K7M2Q9XB,"1,082.50",FasterPaymentIn
2026-03-31,2026-03-31 10:00:00,b2,RENT,"two
lines",-50.00,DirectDebit`,
  'a corporate bank with a column for the side': `Account value,"£2,032.50"
Amount due,0.00
Available balance,Amount
Statement date,30/03/2026,Amount due,0.00
Booked date,Narrative,Amount,CR/DR,Balance,CR/DR
30-Mar-2026,RECOLLECT S260330K7M2Q9XB,1082.50,CR,100.00,DR
31-Mar-2026,RENT,50.00,DR,150.00,DR`,
  'a German bank': `"Umsätze Girokonto";"Zeitraum: 01.03.2026 - 31.03.2026";
"Neuer Kontostand";"2.032,50 GBP";

"Buchungstag";"Valuta";"Auftraggeber/Zahlungsempfänger";"Verwendungszweck";"Betrag";"Währung"
"30.03.2026";"30.03.2026";"Recollect";"S260330K7M2Q9XB";"1.082,50";"GBP"
"31.03.2026";"31.03.2026";"Miete";"März";"-50,00";"GBP"`,
  'a German bank with debit and credit': `Buchungstag\tVerwendungszweck\tSoll\tHaben
30.03.2026\tS260330K7M2Q9XB\t\t1.082,50
31.03.2026\tMiete\t-50,00\t`,
};

for (const [bank, file] of Object.entries(FILES))
  test(`a file of ${bank} has its credit, its day and its debit`, () => {
    const { credits, debits, unread } = readStatement(file);
    assert.deepEqual(
      credits.map(({ date, pence }) => [`${date}`, pence]),
      [['2026-03-30', [108_250]]],
    );
    assert.match(credits[0]?.text ?? '', /S260330K7M2Q9XB/);
    assert.deepEqual([debits, unread], [1, []]);
  });

test('what stands above the heading is taken neither for it nor for what separates the cells', () => {
  const table =
    'Date;Description;Debit;Credit\n30/03/2026;S260330K7M2Q9XB;;82.50\n31/03/2026;RENT;500.00;';
  const above = [
    'Amount due,0.00',
    'Account value,£500.00',
    'Available balance,Amount',
    'Account,12345',
    '"Acme, 12',
    'Statement date;30/03/2026;Amount',
  ];
  for (const file of [
    ...above.map((line) => `${line}\n${table}`),
    `${above.join('\r\n\r\n')}\r\n${table}`,
  ]) {
    const { format, credits, debits, unread } = readStatement(file);
    assert.deepEqual([format, debits, unread], ['table', 1, []], file);
    assert.deepEqual(
      credits.map(({ pence, date }) => [pence, `${date}`]),
      [[[8250], '2026-03-30']],
    );
  }
  assert.equal(readStatement('CR/DR,Date,Amount\nDR,31/03/2026,5.00').debits, 1);
});

const HEADING = 'Date,Details,Debit,Credit,Balance';

test('a line of which nobody can say what it is, is unread, and says why', () => {
  const wrong: [line: string, why: RegExp][] = [
    ['31/03/2026,RENT,50.00-x,,', /“50.00-x” is no amount/],
    ['31/03/2026,RENT,,-\ufffd50.00,', /“-\ufffd50.00” is no amount/],
    ['31/03/2026,RENT,50.00,50.00,', /has both a debit and a credit/],
    ['31/03/2026,RENT,0.00,-,', /has no amount/],
    ['31/03/2026,RENT, MARCH,50.00,,100.00', /has more cells than the heading/],
  ];
  for (const [line, why] of wrong) {
    const { credits, debits, unread } = readStatement(`${HEADING}\n${line}`);
    assert.deepEqual([credits, debits], [[], 0], line);
    assert.match(unread[0]?.why ?? '', why);
  }
});

test('money of another currency is no credit of pounds', () => {
  const { credits, unread } = readStatement(
    'Date,Text,Amount,Currency\n30/03/2026,A,82.50,EUR\n30/03/2026,B,82.50,gbp',
  );
  assert.deepEqual(
    credits.map(({ text }) => text),
    ['B'],
  );
  assert.deepEqual(unread, [{ place: 'Line 2', why: 'Line 2 is in EUR' }]);
});

test('a sum below the lines, which has no day, is said to be unread and is no credit', () => {
  for (const file of [
    `${HEADING}\n30/03/2026,FP,,100.00,\nTotal,,,100.00,`,
    '30/03/2026 FP 100.00\nTotal 100.00',
  ]) {
    const { unmatched, unread } = matchStatement(readStatement(file), []);
    assert.equal(unmatched.length, 1, file);
    assert.match(unread[0]?.why ?? '', /neither the reference of a settlement nor a day/);
  }
});

/** The mark is the amount's, though it stands behind the balance. */
const MARKED = ['Date,Text,Amount,Balance,Debit/Credit', 'Date,Text,Amount,Balance,Dr/Cr'];

test('a debit of a paid settlement’s amount never stands for it, however the bank marks it', () => {
  const settlement = {
    settlementId: 'set_1',
    reference: 'S260330K7M2Q9XB',
    pence: 5000,
    isPaid: true,
    day: Temporal.PlainDate.from('2026-03-30'),
  };
  const marks = ['-50.00', '50.00-', '-\ufffd50.00', '(50.00)', 'Dr 50.00', '50.00 DR', '-£50.00'];
  for (const mark of marks)
    for (const file of [
      `Date,Text,Amount\n30/03/2026,A,1.00\n30/03/2026,Rent,${mark}`,
      `30/03/2026 A 1.00\n30/03/2026 Rent ${mark}`,
      ...MARKED.map(
        (heading) => `${heading}\n30/03/2026,A,1.00,1050.00,Cr\n30/03/2026,Rent,50.00,1000.00,Dr`,
      ),
    ]) {
      const { matched, missing } = matchStatement(readStatement(file), [settlement]);
      assert.deepEqual([matched, missing], [[], [settlement]], file);
    }
});

test('pasted lines may begin with a quote, and a mark in a column of its own is read', () => {
  const { credits } = readStatement('"Acme, 12.00\n30/03/2026 FP 82.50');
  assert.deepEqual(
    credits.map(({ pence }) => pence),
    [[1200], [8250]],
  );
  const { debits } = readStatement(
    '30/03/2026,DR,Fee,50.00\n30/03/2026\tFee\t50.00\tD\n30 Mar 26  FP  82.50  100.00  D',
  );
  assert.equal(debits, 2);
});
