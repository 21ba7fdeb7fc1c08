import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { before, test } from 'node:test';
import type { Command } from 'commander';
import { exportJWK, generateKeyPair } from 'jose';
import { testDatabase } from '../../test-support/database.ts';
import { checkConfig } from '../banks/open-banking/config.ts';
import { readConfig } from '../platform/config.ts';
import { openDb } from '../platform/db.ts';
import { LOG_EVENTS } from '../platform/log-events.ts';
import { readBanksFile } from './banks-file.ts';
import { program } from './cli/program.ts';

const GUIDE = new URL('../../../docs/guides/operators.md', import.meta.url);

let guide: string;

before(async () => {
  guide = await readFile(GUIDE, 'utf8');
});

/** Returns the rows of the table under a heading, each as its cells. */
function tableUnder(heading: string): string[][] {
  const [, after = ''] = guide.split(`\n## ${heading}\n`);
  const [section = ''] = after.split(/\n#{2,3} /);
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** Returns the code blocks in one language. */
const blocks = (language: string): string[] =>
  [...guide.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, 'gms'))].map(
    ([, code = '']) => code,
  );

test('the example of the banks’ file is read as it stands', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-banks-'));
  t.after(() => rm(folder, { recursive: true }));
  const { privateKey } = await generateKeyPair('PS256', { extractable: true });
  await mkdir(join(folder, 'fernbank'));
  const files = { 'ca.pem': 'CA', 'transport.pem': 'CERT', 'transport.key': 'KEY' };
  for (const [name, text] of Object.entries(files))
    await writeFile(join(folder, 'fernbank', name), text);
  const jwk = { ...(await exportJWK(privateKey)), kid: 'our-key' };
  await writeFile(join(folder, 'fernbank', 'signing.jwk.json'), JSON.stringify(jwk));
  const [example = ''] = blocks('json');
  await writeFile(join(folder, 'banks.json'), example);

  const { direct: banks } = readBanksFile(readConfig({}), join(folder, 'banks.json'));
  assert.equal(banks.length, 1);
  for (const bank of banks) checkConfig(bank);
  assert.deepEqual(banks[0]?.tls, { ca: 'CA', cert: 'CERT', key: 'KEY' });
  assert.equal(banks[0]?.signingJwk.kid, 'our-key');
  assert.equal(banks[0]?.vrpType, 'UK.OBIE.VRPType.CVRP1');
});

test('an error in a banks’ file names path and field', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'recollect-banks-'));
  t.after(() => rm(folder, { recursive: true }));
  const path = join(folder, 'banks.json');
  const example = JSON.parse(blocks('json')[0] ?? '') as { banks: Record<string, unknown>[] };
  const [bank = {}] = example.banks;
  const refused = async (content: string, message: RegExp): Promise<void> => {
    await writeFile(path, content);
    assert.throws(() => readBanksFile(readConfig({}), path), { name: 'ConfigError', message });
  };
  await refused('not json', /BANKS_FILE .* cannot be read/);
  await refused('{"banks":[]}', /\/banks /);
  await refused(
    JSON.stringify({ banks: [{ ...bank, bank_id: 'Fern Bank' }] }),
    /\/banks\/0\/bank_id/,
  );
  const { issuer: _issuer, ...without } = bank;
  await refused(JSON.stringify({ banks: [without] }), /issuer/);
  await refused(JSON.stringify(example), /ca\.pem cannot be read/);
  assert.throws(() => readBanksFile(readConfig({}), join(folder, 'none.json')), /none\.json/);
});

test('every field of the banks’ file has its line', () => {
  const example = JSON.parse(blocks('json')[0] ?? '') as { banks: Record<string, unknown>[] };
  const [, table = ''] = guide.split('\n| field | what it is |');
  const [lines = ''] = table.split('\n\n');
  for (const field of Object.keys(example.banks[0] ?? {}))
    assert.ok(lines.includes(`\`${field}\``), field);
});

test('every statement of the guide runs on the schema', async (t) => {
  const database = await testDatabase();
  const db = openDb(database.url, 1);
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  const statements = blocks('sql').filter((sql) => sql.startsWith('SELECT'));
  assert.ok(statements.length >= 5);
  for (const sql of statements) await db.read((tx) => tx.rows(sql));
});

test('the guide has every event of the log with its level, sentence and what to do, and no other', () => {
  const expected = Object.entries(LOG_EVENTS).map(([code, { level, message, action }]) => [
    `\`${code}\``,
    level,
    message,
    action,
  ]);
  assert.deepEqual(tableUnder('Logs'), expected);
});

test('what the guide says to do about an event leads to a heading that there is', () => {
  const headings = [...guide.matchAll(/^#{2,4} (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\w -]/g, '')
      .replaceAll(' ', '-'),
  );
  const links = Object.values(LOG_EVENTS).flatMap(({ action }) =>
    [...action.matchAll(/\(#(.*?)\)/g)].map(([, anchor = '']) => anchor),
  );
  assert.ok(links.length > 10);
  for (const link of links) assert.ok(headings.includes(link), link);
});

test('every command of the guide is one of the program’s, with its options', () => {
  const lines = blocks('sh')
    .join('\n')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .concat([...guide.matchAll(/`(npm run recollect -- [^`]*)`/g)].map(([, line = '']) => line));
  const commands = lines.flatMap(
    (line) => /npm run recollect -- (.*?)( {2,}#|$)/.exec(line)?.[1] ?? [],
  );
  assert.ok(commands.length >= 6);
  for (const line of commands) {
    if (line === 'help') continue;
    let command: Command = program({});
    const words = line.split(' ');
    for (const word of words)
      command = command.commands.find((sub) => sub.name() === word) ?? command;
    assert.notEqual(command.parent, null, line);
    const known = [...program({}).options, ...command.options].map((option) => option.long);
    for (const option of words.filter((word) => word.startsWith('--')))
      assert.ok(known.includes(option), line);
  }
});
