import { Agent } from 'undici';
import { HTTP_1 } from '../../platform/network/request-begun.ts';
import { BankUnavailable } from '../bank.ts';
import type { SigningService } from './config.ts';
import type { Signer } from './signer.ts';

/** A signature is waited for no longer than this: nothing is sent without one. */
const TIMEOUT_MS = 5_000;
const SOCKET = 'unix:';
const MAX_ANSWER_BYTES = 16 * 1024;
const BASE64URL = /^[\w-]{4,}$/;

/**
 * Signs by a program that has the private key: `POST {"kid", "alg": "PS256", "input": base64url}`, answered by 200 and
 * `{"signature": base64url}`. Throws `BankUnavailable` with `notSent` if it gives no signature: nothing has left us then, and the
 * call is repeated like any other that was not sent.
 */
export function serviceSigner(bankId: string, { url, token }: SigningService): Signer {
  const isSocket = url.startsWith(SOCKET);
  const agent = new Agent({
    ...HTTP_1,
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect: isSocket ? { socketPath: url.slice(SOCKET.length) } : { timeout: TIMEOUT_MS },
  });
  const target = new URL(isSocket ? 'http://signer/sign' : url);
  const failed = (why: string, cause?: unknown): BankUnavailable =>
    new BankUnavailable(`${bankId}: the signing service ${why}`, { cause, notSent: true });
  return {
    sign: async (kid, alg, bytes) => {
      const answer = await agent
        .request({
          origin: target.origin,
          path: target.pathname + target.search,
          method: 'POST',
          headers: {
            'content-type': 'application/json',
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
          },
          body: JSON.stringify({ kid, alg, input: Buffer.from(bytes).toString('base64url') }),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        })
        .then(async ({ statusCode, body }) => ({ statusCode, text: await body.text() }))
        .catch((cause: unknown) => {
          throw failed('did not answer', cause);
        });
      if (answer.statusCode !== 200) throw failed(`answered ${answer.statusCode}`);
      return signatureOf(answer.text) ?? raise(failed('answered without a signature'));
    },
  };
}

function signatureOf(text: string): Buffer | null {
  try {
    const { signature } = JSON.parse(text) as { signature?: unknown };
    return typeof signature === 'string' && BASE64URL.test(signature)
      ? Buffer.from(signature, 'base64url')
      : null;
  } catch {
    return null;
  }
}

function raise(error: Error): never {
  throw error;
}
