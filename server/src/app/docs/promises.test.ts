import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Command, CommanderError } from 'commander';
import { request } from 'undici';
import { testDatabase } from '../../../test-support/database.ts';
import { blocksOf, DOCUMENTS, textOf } from '../../../test-support/documents.ts';
import { startTestService, type TestService } from '../../../test-support/service.ts';
import type { Report as Health } from '../../operators/health/report.ts';
import { openDb } from '../../platform/db/db.ts';
import type { AdminDocument } from '../cli/client/document.ts';
import { program } from '../cli/program.ts';

/** Something that a page names, and whether the page shows it whole or mentions it. */
interface Named {
  path: string;
  text: string;
  isWhole: boolean;
}

/** What stands before a command: the program's name as each deployment types it. */
const TYPED =
  /^\s*(?:npm run recollect --|(?:kubectl .* -- |docker compose exec .* api )?recollect|docker compose run --rm cli) +(.*)$/;

/** The commands in the pages' blocks, as they stand, and those in their sentences, of which arguments may be left out. */
function commands(): Named[] {
  return DOCUMENTS.flatMap(({ path, text }) => {
    const lines = blocksOf(text, 'sh').flatMap((block) =>
      block.replaceAll(/\\\n\s*/g, ' ').split('\n'),
    );
    const mentions = [...text.matchAll(/`((?:npm run recollect --|recollect) [^`]+)`/g)];
    return [
      ...lines.map((line) => ({ line, isWhole: !line.includes(' …') })),
      ...mentions.map(([, line = '']) => ({ line, isWhole: false })),
    ].flatMap(({ line, isWhole }) => {
      const bare = line
        .replaceAll('\n', ' ')
        .replace(/(?:^|\s)# .*$/, '')
        .replace(/ (?:[<>] \S+|\| .*)$/, '')
        .trimEnd();
      const typed = TYPED.exec(bare.replace(/ …$/, ''))?.[1];
      return typed === undefined ? [] : [{ path, text: typed, isWhole }];
    });
  });
}

const wordsOf = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare = '']) => quoted ?? bare);

/** Takes its actions from a command and from those below it, and lets it throw where it would end the process. */
function silence(command: Command): Command {
  command.exitOverride().configureOutput({ writeErr: () => {}, writeOut: () => {} });
  if (command.commands.length === 0) command.action(() => {});
  for (const sub of command.commands) silence(sub);
  return command;
}

/** What a sentence may leave out. */
const LEFT_OUT = [
  'commander.missingArgument',
  'commander.missingMandatoryOptionValue',
  'commander.optionMissingArgument',
];

async function refusalOf(
  { text, isWhole }: Named,
  document: AdminDocument,
): Promise<string | null> {
  try {
    await silence(program({}, document)).parseAsync(wordsOf(text), { from: 'user' });
    return null;
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || (!isWhole && LEFT_OUT.includes(error.code))) return null;
    return error.message;
  }
}

/** What people read besides the documents: messages, the console, manifests and alerts. */
const SPOKEN = '{{server,dashboard,sandbox}/src/**/!(*.test).{ts,tsx},deploy/**/*.*,demo/*.ts}';

/** What key check values are derived with, and no command. */
const NO_COMMAND = 'recollect key check';

/** Returns what a text calls a command and is none: a noun of the program's that no verb of it follows. */
function unknownIn(text: string, root: Command): string[] {
  return [...text.matchAll(/\brecollect(?: --)? ([a-z-]+) ([a-z-]+)/g)].flatMap(
    ([typed, noun, verb]) => {
      const known = root.commands.find((one) => one.name() === noun);
      if (known === undefined || known.commands.length === 0 || typed === NO_COMMAND) return [];
      return known.commands.some((one) => one.name() === verb) ? [] : [typed];
    },
  );
}

test('every query in the documents runs on the schema', async (t) => {
  const database = await testDatabase();
  const db = openDb(database.url, 1);
  t.after(async () => {
    await db.close();
    await database.drop();
  });
  const queries = DOCUMENTS.flatMap(({ text }) => blocksOf(text, 'sql'))
    .flatMap((sql) => sql.split(/;(?: *--.*)?$/m))
    .filter((sql) => /^\s*SELECT (?!citus_)/.test(sql));
  assert.ok(queries.length >= 2);
  for (const sql of queries) await db.read((tx) => tx.rows(sql));
});

/** Routes of others: of Modulr, and of the sandbox's bank. */
const FOREIGN = [
  'docs/guides/modulr.md POST /credit',
  'docs/rules/sandbox.md PUT /sandbox/directory/{software_id}',
];

function routes(): Named[] {
  return DOCUMENTS.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:GET|POST|PUT|DELETE) \/[^`\s]*)`/g)].map(([, route = '']) => ({
      path,
      text: route,
      isWhole: true,
    })),
  ).filter(({ path, text }) => !FOREIGN.includes(`${path} ${text}`));
}

describe('with a service', () => {
  let service: TestService;
  before(async () => {
    service = await startTestService();
  });
  after(() => service.close());

  const readDocument = async () => {
    const { body } = await request(`${service.running.operatorUrl}/admin/v1/openapi.json`);
    return (await body.json()) as AdminDocument;
  };

  test('every command in the documents is one of the program’s, with arguments and options that it takes', async () => {
    const document = await readDocument();
    const named = commands();
    assert.ok(named.filter(({ isWhole }) => isWhole).length > 60);
    const wrong: string[] = [];
    for (const one of named) {
      const refusal = await refusalOf(one, document);
      if (refusal !== null) wrong.push(`${one.path}: recollect ${one.text}: ${refusal}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('every command that messages, pages and manifests name is one of the program’s', async () => {
    assert.deepEqual(unknownIn(textOf(SPOKEN), program({}, await readDocument())), []);
  });

  test('every route in the documents is there', async () => {
    const { baseUrl, running } = service;
    const addresses = [baseUrl, `${baseUrl}/api/v1`, running.operatorUrl];
    const wrong: string[] = [];
    for (const { path, text } of routes()) {
      const [method = '', address = ''] = text.split(' ');
      const url = address.replace(/\?.*$/, '').replaceAll(/\{\w+\}/g, 'none');
      const statuses = await Promise.all(addresses.map((at) => statusOf(method, at + url)));
      if (!statuses.some((status) => status !== 404 && status !== 405))
        wrong.push(`${path}: ${text}`);
    }
    assert.deepEqual(wrong, []);
  });

  test('the example of the health report has the fields of a report', async () => {
    const example = DOCUMENTS.flatMap(({ text }) => blocksOf(text, 'json')).find((json) =>
      json.includes('"problems"'),
    );
    const { body } = await request(`${service.running.operatorUrl}/health`);
    const shown = JSON.parse(example ?? '') as Health;
    const report = (await body.json()) as Health;
    assert.deepEqual(fieldsOf(shown), fieldsOf(report));
    for (const part of ['database', 'engine', 'issuer', 'bank_holidays'] as const)
      assert.deepEqual(fieldsOf(shown[part]), fieldsOf(report[part]), part);
    assert.deepEqual(fieldsOf(shown.banks[0]), fieldsOf(report.banks[0]));
  });

  test('every path in the table of the operators’ API is one of its document', async () => {
    const { paths } = await readDocument();
    const known = Object.keys(paths).map((path) => path.replace(/^\/admin\/v1/, ''));
    const guide = DOCUMENTS.find(({ path }) => path === 'docs/guides/operators.md')?.text ?? '';
    const rows =
      guide.split('\n| path | what it is for |\n')[1]?.split('\n\n')[0]?.split('\n') ?? [];
    assert.ok(rows.length > 10);
    for (const row of rows.slice(1)) {
      const [, first = '', second = ''] = row.split('|');
      const roots = pathsIn(first);
      for (const root of roots) assert.ok(known.includes(root), root);
      for (const end of pathsIn(second))
        assert.ok(
          known.some((path) => path.endsWith(end) && roots.some((root) => path.startsWith(root))),
          `${roots.join()} … ${end}`,
        );
    }
  });
});

const fieldsOf = (part: object | undefined): string[] => Object.keys(part ?? {}).sort();

/** Returns the paths in backticks, without their queries. */
const pathsIn = (cell: string): string[] =>
  Array.from(cell.matchAll(/`(\/[^`?]+)/g), ([, path = '']) => path);

/** Asks without a key: a route that is there refuses before it looks anything up. */
async function statusOf(method: string, url: string): Promise<number> {
  const { statusCode, body } = await request(url, { method: method as 'GET' });
  await body.dump();
  return statusCode;
}
