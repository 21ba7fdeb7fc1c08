import { setTimeout as wait } from 'node:timers/promises';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { request } from 'undici';
import { type ApiAnswer, makeMcpServer, NoAnswer } from '../../../agents/mcp/server.ts';
import type { ApiRequest } from '../../../agents/mcp/tools.ts';
import { ConfigError, VERSION } from '../../../platform/config/config.ts';
import { AGENT_HEADER } from '../../../platform/http/calls/auth.ts';
import { agentName } from '../../../platform/state/actor.ts';
import { agentDocuments } from '../../docs/agent-documents.ts';

const ANSWER_WITHIN_MS = 60_000;
/** How often a call is made that gets no answer. Each of them is one act, however often it is made. */
const TRIES = 3;
const PAUSE_MS = 500;
const OK = 200;
const UNAUTHORIZED = 401;
const SILENT_STATUSES: ReadonlySet<number> = new Set([UNAUTHORIZED, 403, 429]);

interface Access {
  apiKey: string;
  baseUrl: string;
}

/** Serves an agent on stdin and stdout until it leaves. Throws ConfigError where the service or its key cannot be used. */
export async function serveMcp(access: Access): Promise<void> {
  let name = '';
  const call = apiCaller(access, { agent: () => name });
  await refuseUnusable(access, call);
  const server = makeMcpServer({
    name: 'Recollect',
    version: VERSION,
    documents: agentDocuments(),
    call,
  });
  server.oninitialized = () => {
    const { name: given = '', version = '' } = server.getClientVersion() ?? {};
    name = agentName(`${given} ${version}`);
  };
  const left = new Promise<void>((done) => {
    server.onclose = done;
    process.stdin.once('end', () => void server.close());
  });
  await server.connect(new StdioServerTransport());
  await left;
}

/** Says in one line what is wrong before an agent begins. */
async function refuseUnusable(
  { baseUrl }: Access,
  call: (asked: ApiRequest) => Promise<ApiAnswer>,
): Promise<void> {
  const { status } = await call({ method: 'GET', path: '/api/v1/api_key' }).catch(() => {
    throw new ConfigError(`nothing answers at ${baseUrl}: is the service running there?`);
  });
  if (status === UNAUTHORIZED) throw new ConfigError(`the API key is not valid at ${baseUrl}`);
}

/**
 * Returns what calls the API, and again where no answer comes. Throws `NoAnswer` where a call may have taken effect. `agent`: the
 * name that the agent gave itself.
 */
export function apiCaller(
  { apiKey, baseUrl }: Access,
  { agent, pauseMs = PAUSE_MS }: { agent: () => string; pauseMs?: number },
): (asked: ApiRequest) => Promise<ApiAnswer> {
  const known = new Map<string, ApiAnswer>();
  const send = async ({ method, path, query, body }: ApiRequest): Promise<ApiAnswer> => {
    const url = new URL(baseUrl.replace(/\/+$/, '') + path);
    for (const [name, value] of Object.entries(query ?? {})) url.searchParams.set(name, value);
    const answer = await request(url, {
      method: method as 'GET',
      headers: {
        authorization: `Bearer ${apiKey}`,
        [AGENT_HEADER]: agent(),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      headersTimeout: ANSWER_WITHIN_MS,
      bodyTimeout: ANSWER_WITHIN_MS,
    });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
  return async (asked) => {
    const kept = known.get(asked.path);
    if (kept !== undefined) return kept;
    for (let tries = 1; ; tries++) {
      const answer = await send(asked).catch(noAnswer);
      if (!(answer instanceof NoAnswer)) {
        if (tries > 1 && isSilent(asked, answer)) throw noAnswer(answer);
        if (asked.path === '/openapi.json' && answer.status === OK) known.set(asked.path, answer);
        return answer;
      }
      if (tries >= TRIES) throw answer;
      await wait(pauseMs * tries);
    }
  };
}

const noAnswer = (cause: unknown): NoAnswer => new NoAnswer('no answer came', { cause });

/** Whether a refusal says nothing of an earlier try of the same call: it may have taken effect. */
const isSilent = ({ method }: ApiRequest, { status }: ApiAnswer): boolean =>
  method !== 'GET' && SILENT_STATUSES.has(status);
