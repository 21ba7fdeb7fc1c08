import { Agent } from 'undici';
import type { Config } from '../platform/config/config.ts';
import { HTTP_1 } from '../platform/network/request-begun.ts';
import type { TextReader } from '../platform/state/notify.ts';
import type { Sent } from './mail.ts';

/** A text message to send. */
export interface TextMessage {
  /** Names the message to the gateway: one that is sent twice is delivered once. */
  id: string;
  to: TextReader;
  /** The sender's name. */
  sender: string;
  text: string;
}

/** Sends text messages. Never throws: an error is an outcome too. */
export interface Texts {
  send(message: TextMessage): Promise<Sent>;
  close(): Promise<void>;
}

const TIMEOUT_MS = 10_000;
const MAX_CONNECTIONS = 10;
/** Of a response nothing but the status is used. */
const MAX_READ = 16_384;

/** Refusals that are a matter of our settings, or of the moment, and not of the message. */
const PASSING: ReadonlySet<number> = new Set([401, 403, 404, 408, 425, 429]);

/**
 * Makes the sender over an HTTP gateway; null: none is configured. Errors name neither the number nor what the gateway wrote,
 * which may contain it. What a gateway has to do: docs/guides/operators.md#text-messages.
 */
export function makeTexts({ sms }: Pick<Config, 'sms'>, timeoutMs = TIMEOUT_MS): Texts | null {
  if (sms === null) return null;
  const { url, token } = sms;
  const { origin, pathname, search } = new URL(url);
  const agent = new Agent({
    ...HTTP_1,
    connections: MAX_CONNECTIONS,
    connect: { timeout: timeoutMs },
    headersTimeout: 0, // the signal below limits the whole request
    bodyTimeout: 0,
  });
  return {
    async send({ id, to, sender, text }) {
      try {
        const signal = AbortSignal.timeout(timeoutMs);
        const { statusCode, body } = await agent.request({
          origin,
          path: pathname + search,
          method: 'POST',
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': id,
          },
          body: JSON.stringify({ id, to: to.phone, sender_name: sender, text }),
          signal,
        });
        // The status has decided; a body that breaks off or never ends changes nothing.
        await body.dump({ limit: MAX_READ, signal }).catch(() => undefined);
        return outcomeOf(statusCode);
      } catch (error) {
        return {
          error: `The gateway was not reached: ${whyNot(error, timeoutMs)}.`,
          isFinal: false,
        };
      }
    },
    close: () => agent.destroy(),
  };
}

function outcomeOf(status: number): Sent {
  if (status >= 200 && status < 300) return { error: null };
  const isFinal = status >= 400 && status < 500 && !PASSING.has(status);
  const verb = isFinal ? 'refused the message' : 'did not accept the message';
  return { error: `The gateway ${verb}: ${status}.`, isFinal };
}

/** Names an error by its code: its message may contain the address of the gateway. */
function whyNot(error: unknown, timeoutMs: number): string {
  const { name, code } = Object(error) as { name?: unknown; code?: unknown };
  if (name === 'TimeoutError') return `no response within ${timeoutMs / 1000} seconds`;
  return typeof code === 'string' ? code : 'the connection failed';
}
