/** The settings by which a common agent program connects to the service. */
export interface Snippet {
  label: string;
  code: string;
}

interface Parts {
  baseUrl: string;
  /** The key, or a placeholder. */
  key: string;
}

/** Returns what connects the usual programs: over HTTP, and with a program on this machine. */
export function agentSnippets({ baseUrl, key }: Parts): Snippet[] {
  const url = `${baseUrl.replace(/\/+$/, '')}/mcp`;
  const http = { type: 'http', url, headers: { Authorization: `Bearer ${key}` } };
  const stdio = {
    command: 'recollect',
    args: ['mcp', '--url', baseUrl],
    env: { RECOLLECT_API_KEY: key },
  };
  const file = (server: object): string =>
    JSON.stringify({ mcpServers: { recollect: server } }, null, 2);
  return [
    {
      label: 'Claude Code',
      code: `claude mcp add --transport http recollect ${url} \\\n  --header "Authorization: Bearer ${key}"`,
    },
    { label: 'Programs that read mcp.json, over HTTP', code: file(http) },
    { label: 'Programs that start a command, such as Claude Desktop', code: file(stdio) },
    {
      label: 'A look at the tools, with the MCP Inspector',
      code:
        `npx @modelcontextprotocol/inspector --cli ${url} --transport http \\\n  --header "Authorization: ` +
        `Bearer ${key}" --method tools/list`,
    },
  ];
}
