import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** The parts of the OpenAPI document that these tests read. */
export interface Document {
  servers: { url: string }[];
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Record<string, Schema> };
}

export interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema; example?: unknown }[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface Schema {
  $ref?: string;
  type?: string;
  properties?: Record<string, Schema>;
  oneOf?: Schema[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
  examples?: unknown[];
}

interface Problem {
  ruleId: string;
  message: string;
  location: { pointer?: string }[];
}

const require = createRequire(import.meta.url);

/** Returns what the recommended rules of Redocly find in a document. */
export async function lint(document: Document): Promise<string[]> {
  const { createConfig, lintFromString } = require('@redocly/openapi-core') as {
    createConfig(rules: { extends: string[] }): Promise<object>;
    lintFromString(given: {
      source: string;
      absoluteRef: string;
      config: object;
    }): Promise<Problem[]>;
  };
  const config = await createConfig({ extends: ['recommended'] });
  const source = JSON.stringify(document);
  const problems = await lintFromString({ source, absoluteRef: '/openapi.json', config });
  return problems.map((p) => `${p.ruleId}: ${p.message} (${p.location[0]?.pointer ?? ''})`);
}

/** Returns what the recommended rules of Spectral find in a document. */
export async function lintBySpectral(document: Document): Promise<string[]> {
  const { Spectral } = require('@stoplight/spectral-core') as {
    Spectral: new () => {
      setRuleset(ruleset: object): void;
      run(document: object): Promise<{ code: string; message: string; path: string[] }[]>;
    };
  };
  const { oas } = require('@stoplight/spectral-rulesets') as { oas: object };
  const spectral = new Spectral();
  spectral.setRuleset({ extends: [[oas, 'recommended']] });
  const found = await spectral.run(document);
  return found.map(({ code, message, path }) => `${code}: ${message} (${path.join('/')})`);
}

/** Generates the TypeScript types of a document, and compiles a program that uses them as `./api.ts`. */
export function typescriptClient(document: Document, program: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'recollect-client-'));
  try {
    const [from, to] = [join(folder, 'openapi.json'), join(folder, 'api.ts')];
    writeFileSync(from, JSON.stringify(document));
    const generator = join(
      dirname(require.resolve('openapi-typescript/package.json')),
      'bin/cli.js',
    );
    run(folder, generator, [from, '-o', to]);
    writeFileSync(join(folder, 'use.ts'), program);
    writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
    const compiler = require.resolve('../../node_modules/typescript/bin/tsc');
    const options = '--strict --noEmit --target es2022 --module nodenext --types'.split(' ');
    run(folder, compiler, [...options, '', '--allowImportingTsExtensions', join(folder, 'use.ts')]);
    return readFileSync(to, 'utf8');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function run(cwd: string, script: string, args: string[]): void {
  try {
    execFileSync(process.execPath, [script, ...args], { cwd, stdio: 'pipe', encoding: 'utf8' });
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    throw new Error(`${script} failed: ${stdout}${stderr}`);
  }
}

const GUIDE = new URL('../../docs/guides/other-languages.md', import.meta.url);

/** Generates the types of a document's schemas in a language, with the options of the guide's command for it. */
export async function typesIn(language: string, document: Document): Promise<string> {
  const { JSONSchemaInput, InputData, quicktype } = require('quicktype-core') as {
    JSONSchemaInput: new (store: undefined) => { addSource(source: object): Promise<void> };
    InputData: new () => { addInput(input: object): void };
    quicktype(options: object): Promise<{ lines: string[] }>;
  };
  const command = readFileSync(GUIDE, 'utf8').match(
    new RegExp(`^npx quicktype .*\\.json(#\\S+)' --lang ${language} (.*)$`, 'm'),
  );
  if (command === null) throw new Error(`The guide has no command for ${language}`);
  const [, uri = '', options = ''] = command;
  const input = new JSONSchemaInput(undefined);
  const schema = JSON.stringify(document);
  await input.addSource({ name: 'openapi.json', uris: [uri], schema });
  const inputData = new InputData();
  inputData.addInput(input);
  const given = options.matchAll(/--(\S+)(?: ([^-\s]\S*))?/g);
  const rendererOptions = Object.fromEntries(
    Array.from(given, ([, name, value = 'true']) => [name, value]),
  );
  const { lines } = await quicktype({ inputData, lang: language, rendererOptions });
  return lines.join('\n');
}
