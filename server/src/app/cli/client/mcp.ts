import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { apiKeyOf, requireSecure } from './access.ts';

interface McpOptions {
  apiKeyFile?: string;
  url?: string;
}

/** Adds `mcp`: the MCP server over stdio, for an agent on this machine, over the API of a running service. */
export function addMcpCommand(root: Command, env: Env, config: () => Config): void {
  root
    .command('mcp')
    .description('serve an agent over MCP on stdin and stdout: see docs/guides/agents.md')
    .option(
      '--api-key-file <path>',
      "a file with the agent's API key; default: RECOLLECT_API_KEY, or the sandbox's key",
    )
    .option('--url <url>', 'where the service runs; default: BASE_URL')
    .action(async ({ apiKeyFile, url }: McpOptions) => {
      const baseUrl = url ?? config().baseUrl;
      requireSecure('--url', baseUrl);
      const { serveMcp } = await import('./mcp-work.ts');
      await serveMcp({ apiKey: apiKeyOf(env, config(), apiKeyFile), baseUrl });
    });
}
