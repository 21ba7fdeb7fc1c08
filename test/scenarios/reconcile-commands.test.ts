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
const NOT = 'recollect: not done: ';

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
  const told = await operator.does('reconcile', '--date', DAY);
  assert.match(told, /^2026-01-07: 3 lines of the issuer's statement\n/);
  assert.match(told, /\neverything agrees$/);
  const file = await write('whole.xml', await statement(() => true));
  const ofFile = await operator.does('reconcile', '--date', DAY, '--statement', file);
  assert.equal(ofFile, told);
  assert.match(
    await operator.does('reconcile'),
    /^2026-01-06: 0 lines /,
    'by default of yesterday',
  );
});

test('a date, a file or an option that is wrong is refused by its name', async () => {
  assert.equal(
    await operator.refused('reconcile', '--date', 'yesterday'),
    'recollect: --date must be a date such as 2026-11-23, and "yesterday" is none',
  );
  const gone = join(folder, 'nowhere.xml');
  const read = (path: string) => operator.refused('reconcile', '--date', DAY, '--statement', path);
  assert.match(await read(gone), /^recollect: the statement .*nowhere\.xml cannot be read: ENOENT/);
  const whole = await statement(() => true);
  const broken = await write('broken.xml', whole.replace('Ccy="GBP"', 'Ccy="EUR"'));
  assert.match(
    await read(broken),
    /^recollect: the statement .* cannot be read: Document\/BkToCstmrStmt\/Stmt\[1\]\/Bal\[1\]\/Amt must be in GBP$/,
  );
  assert.equal(
    await operator.misspelt('reconcile', 'resolve', 'line 4711'),
    "error: required option '--reason <text>' not specified",
  );
  assert.equal(
    await operator.misspelt('reconcile', 'resolve', ...WHY),
    "error: missing required argument 'item'",
  );
  assert.equal(await operator.misspelt('reconcile', '--day', DAY), "error: unknown option '--day'");
});

test('a file of another day is refused with what it holds', async () => {
  const file = await write('whole.xml', await statement(() => true));
  assert.match(
    await operator.refused('reconcile', '--date', '2026-01-05', '--statement', file),
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
  const told = await operator.does('reconcile', '--date', DAY, '--statement', ...files);
  assert.match(told, /^left out: office: it is in EUR\n2026-01-07: 3 lines/);
  assert.match(told, /\neverything agrees$/);
});

test('a line that the file lacks is a difference until somebody says how it was resolved', async () => {
  const file = await write('short.xml', await statement((line) => line.kind !== 'payin'));
  const asked = ['reconcile', '--date', DAY, '--statement', file];
  const told = await operator.finds(...asked);
  assert.match(
    told,
    /^differs: booking mer_\w+ pay_in \S+: .* is not on the statement \(found 2026-01-07T/m,
  );
  assert.match(told, /\nnot everything agrees$/);
  const item = /^differs: (booking \S+ pay_in \S+): /m.exec(told)?.[1] ?? '';
  assert.equal(await operator.does('reconcile', 'resolve', item, ...WHY), `${item}: resolved`);
  assert.equal(
    await operator.refused('reconcile', 'resolve', item, ...WHY),
    `${NOT}there is no open difference "${item}"`,
  );
  const later = await operator.run(...asked);
  assert.match(later.out, /^resolved: booking .* by Robin Fern: the issuer wrote so$/m);
  const [head = '', row = ''] = (await operator.run(...asked, '--csv')).out.split('\n');
  assert.equal(
    head,
    'item,date,merchant_id,amount_pence,what,found_at,resolved_at,resolved_by,resolution',
  );
  assert.match(row, /^booking .*,2026-01-07,mer_\w+,-4999,.*,Robin Fern,the issuer wrote so$/);
});

test('a pay-out that came back waits until its account is confirmed, once', async () => {
  assert.equal(await operator.does('settlement', 'waiting'), '');
  await service.advance('2026-01-12T12:00:00Z');
  const line = await operator.does('settlement', 'waiting');
  const [id = '', merchant, ...others] = line.split('  ');
  assert.equal(merchant, service.merchantId);
  assert.match(others.join('  '), /^4999 pence {2}since 2026-01-1\dT\S+Z {2}\S/);
  assert.equal(
    await operator.misspelt('settlement', 'confirm', id),
    "error: required option '--reason <text>' not specified",
  );
  assert.equal(
    await operator.misspelt('settlement', 'confirm', ...WHY),
    "error: missing required argument 'settlement_id'",
  );
  assert.equal(
    await operator.refused('settlement', 'confirm', 'set_x', ...WHY),
    `${NOT}no settlement set_x waits for its account`,
  );
  assert.equal(
    await operator.refused('settlement', 'ask', id, ...WHY),
    `${NOT}no settlement ${id} waits for its amount`,
  );
  const confirm = ['settlement', 'confirm', id, ...WHY];
  assert.equal(
    await operator.does(...confirm),
    `${id}: its money goes out with the next settlement`,
  );
  assert.match(await operator.refused(...confirm), /waits for its account$/);
  assert.equal(await operator.does('settlement', 'waiting'), '');
});

test('a settlement whose issuer has another amount is listed with both, and the issuer is asked again', async () => {
  const why =
    'The issuer has a pay-out of 4998 pence under the key of this settlement of 4999 pence';
  const row = await service.db.transaction((tx) =>
    tx.row<{ settlementId: string }>(
      `UPDATE settlements SET status = 'processing', stage = NULL, due_at = NULL, error_message = $1 WHERE status = 'failed'
       RETURNING settlement_id`,
      [why],
    ),
  );
  const id = row?.settlementId ?? '';
  assert.ok((await operator.does('settlement', 'waiting')).endsWith(why));
  assert.equal(
    await operator.misspelt('settlement', 'ask', id),
    "error: required option '--reason <text>' not specified",
  );
  const ask = ['settlement', 'ask', id, ...WHY];
  assert.equal(await operator.does(...ask), `${id}: checking with the issuer again`);
  assert.equal(await operator.refused(...ask), `${NOT}no settlement ${id} waits for its amount`);
});
