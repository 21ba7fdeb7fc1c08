import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { StatementLine } from '../../server/src/wallets/issuer.ts';
import { type Operator, operatorOf } from '../../server/test-support/operator.ts';
import { startTestService, type TestService } from '../../server/test-support/service.ts';
import { grantedSchedule } from './acts.ts';

// What operators do about the daily report, and about a returned pay-out: each after two days.

const DAY = '2026-01-07';
const WHY = ['--reason', 'the issuer wrote so'];

let service: TestService;
let operator: Operator;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'recollect-statement-'));
  service = await startTestService({ env: { SANDBOX_ISSUER_MODES: 'returned_payouts' } });
  await grantedSchedule(service, 'alex', { frequency: { type: 'monthly', day: 7 } });
  await service.advance('2026-01-07T23:00:00Z');
  operator = await operatorOf(service);
});
after(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

async function write(name: string, content: string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

const pounds = (pence: number): string => (pence / 100).toFixed(2);
const side = (pence: number): string => `<CdtDbtInd>${pence < 0 ? 'DBIT' : 'CRDT'}</CdtDbtInd>`;

/** Returns the statement of the day as a camt.053 file for all accounts, with these of its lines. */
async function statement(isOn: (line: StatementLine) => boolean): Promise<string> {
  const { issuer } = service.running.service.authorisation;
  const lines = await Array.fromAsync(issuer.listStatement(Temporal.PlainDate.from(DAY)));
  const accounts = Map.groupBy(lines.filter(isOn), (line) => line.issuerWalletId);
  const statements = [...accounts].map(([account, of]) => {
    const signed = (line: StatementLine): number =>
      line.direction === 'credit' ? line.amountPence : -line.amountPence;
    const balance = (code: string, pence: number): string =>
      `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp><Amt Ccy="GBP">${pounds(Math.abs(pence))}</Amt>${side(pence)}
       <Dt><Dt>${DAY}</Dt></Dt></Bal>`;
    const entries = of.map(
      (line) => `<Ntry><Amt Ccy="GBP">${pounds(line.amountPence)}</Amt>${side(signed(line))}
        <Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>${DAY}</Dt></BookgDt><AcctSvcrRef>${line.movementId}</AcctSvcrRef>
        <NtryDtls><TxDtls><Refs><EndToEndId>${line.idempotencyKey ?? 'NOTPROVIDED'}</EndToEndId></Refs>
        </TxDtls></NtryDtls></Ntry>`,
    );
    const closing = of.reduce((sum, line) => sum + signed(line), 0);
    return `<Stmt><Id>${account}</Id><Acct><Id><Othr><Id>${account}</Id></Othr></Id></Acct>
      ${balance('OPBD', 0)}${balance('CLBD', closing)}${entries.join('')}</Stmt>`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>
    <Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr/>
    ${statements.join('')}</BkToCstmrStmt></Document>`;
}

test('a day on which both sides agree is exit code 0, from the issuer and from its file', async () => {
  const report = await operator.gets('reconcile', 'run', DAY);
  assert.deepEqual([report.lines, report.open_differences, report.unknown], [3, 0, null]);
  const file = await write('whole.xml', await statement(() => true));
  const told = await operator.does('reconcile', 'statement', file, '--date', DAY);
  assert.match(told, /^2026-01-07: 3 lines of the issuer's statement\n/);
  assert.match(told, /\neverything agrees$/);
  assert.match(
    await operator.refused('reconcile', 'statement', file),
    /has nothing of 2026-01-06/,
    'by default of yesterday',
  );
});

test('a date or a file that is wrong is refused by its name', async () => {
  const read = (path: string, date = DAY) =>
    operator.refused('reconcile', 'statement', path, '--date', date);
  const whole = await statement(() => true);
  assert.equal(
    await read(await write('whole.xml', whole), 'yesterday'),
    'recollect: --date must be a date such as 2026-11-23, and "yesterday" is none',
  );
  const gone = join(folder, 'nowhere.xml');
  assert.match(await read(gone), /^recollect: the statement .*nowhere\.xml cannot be read: ENOENT/);
  const broken = await write('broken.xml', whole.replace('Ccy="GBP"', 'Ccy="EUR"'));
  assert.match(
    await read(broken),
    /^recollect: the statement .* cannot be read: Document\/BkToCstmrStmt\/Stmt\[1\]\/Bal\[1\]\/Amt must be in GBP$/,
  );
});

test('a file of another day is refused with what it holds', async () => {
  const file = await write('whole.xml', await statement(() => true));
  assert.match(
    await operator.refused('reconcile', 'statement', file, '--date', '2026-01-05'),
    /^recollect: the statement has nothing of 2026-01-05: it holds wlt_\w+ of 2026-01-07, wlt_\w+ of 2026-01-07$/,
  );
});

test('an account in another currency is left out by its name, in whichever of the files it is', async () => {
  const whole = await statement(() => true);
  const [euros = ''] = /<Stmt>.*?<\/Stmt>/s.exec(whole) ?? [];
  const other = whole
    .replace(/<Stmt>.*<\/Stmt>/s, euros)
    .replaceAll('GBP', 'EUR')
    .replaceAll(/wlt_\w+/g, 'office');
  const files = [await write('pounds.xml', whole), await write('euros.xml', other)];
  const told = await operator.does('reconcile', 'statement', ...files, '--date', DAY);
  assert.match(told, /^left out: office: it is in EUR\n2026-01-07: 3 lines/);
  assert.match(told, /\neverything agrees$/);
});

test('a line that the file lacks is a difference until somebody says how it was resolved', async () => {
  const file = await write('short.xml', await statement((line) => line.kind !== 'payin'));
  const asked = ['reconcile', 'statement', file, '--date', DAY];
  const told = await operator.finds(...asked);
  assert.match(
    told,
    /^differs: booking mer_\w+ pay_in \S+: .* is not on the statement \(found 2026-01-07T/m,
  );
  assert.match(told, /\nnot everything agrees$/);
  const item = /^differs: (booking \S+ pay_in \S+): /m.exec(told)?.[1] ?? '';
  const resolve = ['reconcile', 'resolve', '--item', item, '--resolution', 'the issuer wrote so'];
  await operator.does(...resolve);
  assert.match(await operator.refused(...resolve), /No such open difference/);
  const later = await operator.run(...asked);
  assert.match(later.out, /^resolved: booking .* by Robin Fern: the issuer wrote so$/m);
});

test('a pay-out that came back waits until its account is confirmed, once', async () => {
  const waiting = async () => (await operator.gets('settlement', 'waiting')).data;
  assert.deepEqual(await waiting(), []);
  await service.advance('2026-01-12T12:00:00Z');
  const [one] = await waiting();
  assert.deepEqual(
    [one.merchant_id, one.amount.value, one.waits_for],
    [service.merchantId, 4999, 'account'],
  );
  assert.match(one.since, /^2026-01-1/);
  const decide = (verb: string, id: string) => operator.refused('settlement', verb, id, ...WHY);
  assert.match(await decide('confirm', 'set_x'), /No such settlement waits for its account/);
  assert.match(await decide('ask', one.id), /No such settlement waits for its amount/);
  await operator.does('settlement', 'confirm', one.id, ...WHY);
  assert.match(await decide('confirm', one.id), /waits for its account/);
  assert.deepEqual(await waiting(), []);
  const [change] = (await operator.gets('activity', 'list', '--action', 'account_confirmed')).data;
  assert.deepEqual([change.operator, change.reason], ['Robin Fern', 'the issuer wrote so']);
});

test('a settlement whose issuer has another amount is listed with both, and the issuer is asked again', async () => {
  const why =
    'The issuer has a pay-out of 4998 pence under the key of this settlement of 4999 pence';
  await service.db.transaction((tx) =>
    tx.run(
      `UPDATE settlements SET status = 'processing', stage = NULL, due_at = NULL, error_message = $1 WHERE status = 'failed'`,
      [why],
    ),
  );
  const [one] = (await operator.gets('settlement', 'waiting')).data;
  assert.deepEqual([one.waits_for, one.error_message], ['amount', why]);
  await operator.does('settlement', 'ask', one.id, ...WHY);
  assert.match(
    await operator.refused('settlement', 'ask', one.id, ...WHY),
    /No such settlement waits for its amount/,
  );
});
