import {
  type Answer,
  asFetch,
  type Fetch,
  NoAnswer,
  openChannel,
  type Question,
} from '../../platform/network/partner-channel.ts';
import { BankUnavailable } from '../bank.ts';
import { DEFAULT_TIMEOUT_MS, type OpenBankingConfig } from './config.ts';

/** How many orders are sent to a bank at once. */
export const ORDERS_AT_ONCE = 256;
/** With room for tokens, polls and reads beside the orders. */
const CONNECTIONS = ORDERS_AT_ONCE + 64;
const MAX_ANSWER_BYTES = 512 * 1024;

/** The mutually authenticated connection to one bank: all traffic with it passes through here. */
export interface BackChannel {
  /** Throws `BankUnavailable` if no complete response came in time. Redirects are returned and not followed. */
  send(question: Question): Promise<Answer>;
  /** The same channel with the interface that the OAuth and JWKS libraries expect. */
  readonly fetch: Fetch;
  close(): Promise<void>;
}

/** Creates the channel. Connections are opened when needed and kept alive. */
export function backChannel(
  config: Pick<OpenBankingConfig, 'bankId' | 'tls' | 'timeoutMs'>,
): BackChannel {
  const timeoutMs = config.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  const { tls } = config;
  const channel = openChannel({
    connections: CONNECTIONS,
    maxAnswerBytes: MAX_ANSWER_BYTES,
    timeoutMs,
    tls,
  });

  async function send(question: Question): Promise<Answer> {
    if (URL.parse(question.url)?.protocol !== 'https:') {
      throw new BankUnavailable(`${config.bankId}: only https is spoken with a bank`);
    }
    try {
      return await channel.send(question);
    } catch (cause) {
      if (!(cause instanceof NoAnswer)) throw cause;
      const { notSent } = cause;
      const what = notSent ? 'not reached by' : 'no answer to';
      throw new BankUnavailable(`${config.bankId}: ${what} ${question.method}`, { cause, notSent });
    }
  }

  return {
    send,
    fetch: asFetch(send),
    close: () => channel.close(),
  };
}
