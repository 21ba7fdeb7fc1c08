import { readFileSync, writeFileSync } from 'node:fs';
import { importErrorsCsv, importLinksCsv, type Recollect } from '@recollect/sdk';
import type { Command } from 'commander';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { callService } from '../session/call-service.ts';
import { apiKeyOf, requireSecure } from './access.ts';

interface ImportOptions {
  apiKeyFile?: string;
  url?: string;
  check?: true;
  links?: string;
  problems?: string;
}

/** Adds `import`: schedules from a CSV file, through the API of a running service. */
export function addImport(root: Command, env: Env, config: () => Config): void {
  root
    .command('import <file>')
    .description('create schedules from a CSV file, in a running service: see docs/rules/import.md')
    .option(
      '--api-key-file <path>',
      "a file with an API key of the merchant's; default: RECOLLECT_API_KEY, or the sandbox's key",
    )
    .option('--url <url>', 'where the service runs; default: BASE_URL')
    .option('--check', 'say what is wrong with the file, and create nothing')
    .option('--links <file>', 'where to write the consent links, as CSV')
    .option('--problems <file>', 'where to write what is wrong, as CSV; default: the screen')
    .action(async (file: string, options: ImportOptions) => {
      const baseUrl = options.url ?? config().baseUrl;
      requireSecure('--url', baseUrl);
      const access = { apiKey: apiKeyOf(env, config(), options.apiKeyFile), baseUrl };
      const isGood = await callService(access, (client) => importCommand(client, file, options));
      if (!isGood) process.exitCode = 1;
    });
}

/** Imports a file, and writes the result. Returns whether every line was good. */
async function importCommand(
  client: Recollect,
  file: string,
  { check, links, problems }: ImportOptions,
): Promise<boolean> {
  const result = await client.schedules
    .import(readImport(file), {
      checkOnly: check === true,
      onProgress: ({ done, total }) => process.stderr.write(`${done} of ${total} lines\n`),
    })
    .catch((error: unknown) => {
      throw error instanceof RangeError ? new ConfigError(error.message) : error;
    });
  const { valid, created, existing, invalid } = result.counts;
  const imported = `${created} created, ${existing} imported before`;
  const found = `${valid} good, ${existing} imported before`;
  process.stdout.write(`${check === true ? found : imported}, ${invalid} not good\n`);
  if (links !== undefined) writeFileSync(links, importLinksCsv(result));
  if (problems !== undefined) writeFileSync(problems, importErrorsCsv(result));
  else if (invalid > 0) process.stdout.write(importErrorsCsv(result));
  return invalid === 0;
}

function readImport(file: string): Uint8Array {
  try {
    return readFileSync(file);
  } catch {
    throw new ConfigError(`cannot read ${file}`);
  }
}
