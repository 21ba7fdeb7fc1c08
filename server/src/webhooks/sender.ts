import type { LookupFunction } from 'node:net';
import { type Dispatcher, request } from 'undici';
import { guardedAgents } from '../platform/network/guarded-agents.ts';
import { errorCode } from '../platform/values/thrown.ts';
import { isTimeout, sentenceOf, whyNot } from './answer.ts';

/** One webhook request, signed and ready to send. */
export interface Outgoing {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** The result of one request. `error` null: acknowledged. */
export interface Answer {
  status: number | null;
  /** The first 4 KB of the response. */
  body: string | null;
  error: string | null;
  durationMs: number;
}

/** Sends webhooks. Never throws: an error is a result too. */
export interface Sender {
  send(outgoing: Outgoing): Promise<Answer>;
  close(): Promise<void>;
}

const KEPT_BYTES = 4096;
/** The connection ended before an answer: at the receiver's side, maybe while we wrote. */
const CLOSED = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);
/** How many origins are remembered as having answered. */
const MAX_ORIGINS = 1_000;

/** Reads the part of a response that is kept; beyond it, the connection is not worth keeping. */
async function firstOf(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of body) {
      chunks.push(chunk);
      size += chunk.length;
      if (size >= KEPT_BYTES) break;
    }
  } catch {
    // The status has already decided; a body that breaks off or never ends changes nothing.
  }
  const kept = Buffer.concat(chunks).subarray(0, KEPT_BYTES);
  // Streaming: a character cut in two at the end is dropped. PostgreSQL stores no NUL.
  return new TextDecoder().decode(kept, { stream: true }).replaceAll('\0', '\ufffd');
}

/**
 * Makes a sender for one mode. It reaches no address of our own network. Connections per origin are not limited: merchants behind
 * one provider must not wait for each other.
 */
export function makeSender(options: {
  mode: 'sandbox' | 'live';
  timeoutMs: number;
  /** How long the next request may take to an origin that let the one before it time out. Default: as long. */
  patienceMs?: () => number;
  lookup?: LookupFunction;
}): Sender {
  const { patienceMs = () => options.timeoutMs } = options;
  const agents = guardedAgents(options);
  /** For repeats: each has a connection of its own. */
  const freshAgents = guardedAgents(options);
  const answered = new Set<string>();
  const timedOut = new Set<string>();
  const note = (origins: Set<string>, { origin }: URL): void => {
    if (origins.size >= MAX_ORIGINS) origins.clear();
    origins.add(origin);
  };
  const limitFor = ({ origin }: URL): number =>
    timedOut.has(origin) ? patienceMs() : options.timeoutMs;

  /**
   * A receiver closes idle connections when it likes, and may do so just as one is used again. Then nothing was wrong with it, so
   * the same event is sent once more at once, within the same time limit.
   */
  const call = async (
    { url, headers, body }: Outgoing,
    to: URL,
    timeoutMs: number,
  ): Promise<Dispatcher.ResponseData> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const sent = { method: 'POST', headers, body, signal } as const;
    try {
      return await request(url, { ...sent, dispatcher: agents.of(to) });
    } catch (error) {
      if (!CLOSED.has(errorCode(error)) || !answered.has(to.origin)) throw error;
      return await request(url, { ...sent, dispatcher: freshAgents.of(to), reset: true });
    }
  };

  return {
    async send(outgoing) {
      const started = performance.now();
      const tookMs = (): number => Math.round(performance.now() - started);
      const to = new URL(outgoing.url);
      const timeoutMs = limitFor(to);
      try {
        const { statusCode, body } = await call(outgoing, to, timeoutMs);
        note(answered, to);
        timedOut.delete(to.origin);
        const text = await firstOf(body);
        return { status: statusCode, body: text, error: whyNot(statusCode), durationMs: tookMs() };
      } catch (error) {
        if (isTimeout(error)) note(timedOut, to);
        const sentence = sentenceOf(error, timeoutMs);
        return { status: null, body: null, error: sentence, durationMs: tookMs() };
      }
    },
    close: async () => void (await Promise.all([agents.close(), freshAgents.close()])),
  };
}
