import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import type { Env } from '../../../platform/config/readers.ts';
import { accessOf, type MerchantAccess, withAccess } from './merchant-access.ts';

/** Adds `mcp`: the MCP server over stdio, for an agent on this machine, over the API of a running service. */
export function addMcpCommand(root: Command, env: Env, config: () => Config): void {
  const command = root
    .command('mcp')
    .description('serve an agent over MCP on stdin and stdout: see docs/guides/agents.md');
  withAccess(command).action(async (options: MerchantAccess) => {
    const { serveMcp } = await import('./mcp-work.ts');
    await serveMcp(accessOf({ env, config }, options));
  });
}
