import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AGENT_HEADER } from '../../platform/http/calls/auth.ts';
import { acceptOnlyJson } from '../../platform/http/calls/bodies.ts';
import { forbidCaching, type Guard } from '../../platform/http/mount.ts';
import { agentName } from '../../platform/state/actor.ts';
import { ApiError } from '../../platform/values/errors.ts';
import { type ApiAnswer, type McpParts, makeMcpServer } from './server.ts';
import type { ApiRequest } from './tools.ts';

const PATH = '/mcp';
const SESSION = 'mcp-session-id';
const OK = 200;
/** What an agent is called that says no name. */
const NAMELESS = 'MCP client';

/**
 * Adds MCP over streamable HTTP, without a state: each request has its API key, and the agent's name is carried in the id of the
 * session. A tool calls the API within this process, past every check that a request from outside passes.
 */
export function addMcp(
  app: FastifyInstance,
  parts: Omit<McpParts, 'call'>,
  guards: readonly Guard[],
): void {
  acceptOnlyJson(app);
  forbidCaching(app);
  const document = documentOf(app);
  app.post(PATH, {
    schema: { hide: true },
    // Its own calls to the API wait in the queue: a place there, kept for them, would be one that they wait for.
    config: { limitedBy: 'caller', work: 'unbounded', isUnlogged: true },
    onRequest: [refuseBrowsers, ...guards],
    handler: async (request, reply) => {
      const name = nameOf(request);
      const server = makeMcpServer({ ...parts, call: callerOf(app, request, name, document) });
      const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
      await server.connect(transport);
      try {
        const answer = await transport.handleRequest(asWebRequest(request), {
          parsedBody: request.body,
        });
        return await send(reply, answer, isHandshake(request.body) ? idOf(name) : null);
      } finally {
        await server.close();
      }
    },
  });
}

/** A page of another site may reach a service on the visitor's own machine: no agent is a page. */
async function refuseBrowsers({ headers }: FastifyRequest): Promise<void> {
  if (headers.origin !== undefined)
    throw new ApiError('forbidden', 'Agents do not call from web pages.');
}

interface Handshake {
  method?: unknown;
  params?: { clientInfo?: { name?: unknown; version?: unknown } };
}

const isHandshake = (body: unknown): boolean => (Object(body) as Handshake).method === 'initialize';

/** Returns the agent's name: of its header, of its handshake, or of its session. */
function nameOf({ headers, body }: FastifyRequest): string {
  const header = headers[AGENT_HEADER];
  if (typeof header === 'string') return agentName(header) || NAMELESS;
  if (isHandshake(body)) {
    const { name, version } = Object((Object(body) as Handshake).params?.clientInfo);
    const words = [name, version].filter((word) => typeof word === 'string');
    return agentName(words.join(' ')) || NAMELESS;
  }
  const session = headers[SESSION];
  const text = typeof session === 'string' ? Buffer.from(session, 'base64url').toString() : '';
  return agentName(text) || NAMELESS;
}

const idOf = (name: string): string => Buffer.from(name).toString('base64url');

function asWebRequest({ method, headers, url }: FastifyRequest): Request {
  const kept = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(accept|content-type|mcp-[\w-]+)$/.test(name)
      ? [[name, value]]
      : [],
  );
  return new Request(`http://localhost${url}`, { method, headers: kept });
}

async function send(
  reply: FastifyReply,
  answer: Response,
  session: string | null,
): Promise<FastifyReply> {
  const type = answer.headers.get('content-type');
  if (type !== null) reply.type(type);
  if (session !== null) reply.header(SESSION, session);
  return reply.code(answer.status).send(await answer.text());
}

/** Reads the service's own document once; a refusal, such as under load, is not kept. */
function documentOf(app: FastifyInstance): (path: string) => Promise<ApiAnswer> {
  let known: ApiAnswer | null = null;
  return async (path) => {
    if (known !== null) return known;
    const answer = await app.inject({ method: 'GET', url: path });
    const status = answer.statusCode;
    const read = { status, body: answer.json<unknown>() };
    if (status === OK) known = read;
    return read;
  };
}

/** Calls the API as the key of a request, from its address, under the agent's name. */
function callerOf(
  app: FastifyInstance,
  { headers: { authorization = '' }, ip, id }: FastifyRequest,
  name: string,
  document: (path: string) => Promise<ApiAnswer>,
): McpParts['call'] {
  return async ({ method, path, query, body }: ApiRequest) => {
    if (path === '/openapi.json') return document(path);
    const answer = await app.inject({
      method: method as 'GET',
      url: path,
      ...(query === undefined ? {} : { query: { ...query } }),
      headers: { authorization, [AGENT_HEADER]: name, 'x-request-id': id },
      ...(body === undefined ? {} : { payload: body as object }),
      remoteAddress: ip,
    });
    return { status: answer.statusCode, body: answer.json<unknown>() };
  };
}
