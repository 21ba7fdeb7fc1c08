import type { ApiDocument } from '../../server/src/agents/mcp/document.ts';
import { type Tool, toolsOf } from '../../server/src/agents/mcp/tools.ts';
import type { Running } from '../../server/src/app/wiring/assemble.ts';
import type { Errand, Hands } from './script.ts';

/** Who calls, and how: through MCP itself, or by the requests that its tools are, which takes less time. */
export interface Access {
  http: Running['http'];
  secret: string;
  agent: string;
  throughMcp: boolean;
}

interface Answer {
  status: number;
  body: Record<string, unknown>;
}

const GBP = (value: number) => ({ value, currency: 'GBP' });
const OK = 200;

/** Reads the tools as an agent gets them. */
export async function readTools(http: Running['http']): Promise<readonly Tool[]> {
  return toolsOf((await http.inject('/openapi.json')).json<ApiDocument>());
}

async function inject(
  { http, secret, agent }: Access,
  method: string,
  url: string,
  body?: unknown,
): Promise<Answer> {
  const answer = await http.inject({
    method: method as 'GET',
    url,
    headers: {
      authorization: `Bearer ${secret}`,
      'recollect-agent': agent,
      accept: 'application/json, text/event-stream',
    },
    ...(body === undefined ? {} : { payload: body as object }),
  });
  return { status: answer.statusCode, body: answer.json() };
}

async function callTool(
  access: Access,
  tools: readonly Tool[],
  name: string,
  given: Record<string, unknown>,
): Promise<Record<string, unknown> | null> {
  if (access.throughMcp) {
    const params = { name, arguments: given };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    const { body } = await inject(access, 'POST', '/mcp', message);
    const { result } = body as { result?: { isError?: boolean; structuredContent?: object } };
    return result?.isError === true ? null : { ...result?.structuredContent };
  }
  const tool = tools.find((one) => one.name === name);
  if (tool === undefined) throw new Error(`there is no tool ${name}`);
  const { method, path, body: sent } = tool.request(given);
  const { status, body } = await inject(access, method, path, sent);
  return status === OK ? body : null;
}

const argumentsOf = ({ kind, target, name }: Errand, pence: number): Record<string, unknown> => ({
  id: target,
  body: { amount: GBP(pence), ...(kind === 'collect' ? { description: name } : { reason: name }) },
  purpose: name,
});

/** The hands of an agent with the tools: it prepares, and commits by an id. */
export function toolHands(access: Access, tools: readonly Tool[]): Hands {
  return {
    async prepare(errand, pence) {
      const name = errand.kind === 'collect' ? 'prepare_create_payment' : 'prepare_create_refund';
      const act = await callTool(access, tools, name, argumentsOf(errand, pence));
      return act === null ? null : String(act.id);
    },
    async commit(prepared) {
      const act = await callTool(access, tools, 'commit_act', { id: prepared });
      return act !== null && act.status !== 'prepared';
    },
    read: async (id) => JSON.stringify(await callTool(access, tools, 'get_schedule', { id })),
  };
}

/** The hands of an agent that posts to the API, without an `Idempotency-Key`: what it prepares is a request. */
export function plainHands(access: Access): Hands {
  return {
    async prepare(errand, pence) {
      const { body } = argumentsOf(errand, pence);
      const [noun, made] =
        errand.kind === 'collect' ? ['schedules', 'payments'] : ['payments', 'refunds'];
      return JSON.stringify({ path: `/api/v1/${noun}/${errand.target}/${made}`, body });
    },
    async commit(prepared) {
      const { path, body } = JSON.parse(prepared) as { path: string; body: object };
      return (await inject(access, 'POST', path, body)).status === OK;
    },
    read: async (id) =>
      JSON.stringify((await inject(access, 'GET', `/api/v1/schedules/${id}`)).body),
  };
}
