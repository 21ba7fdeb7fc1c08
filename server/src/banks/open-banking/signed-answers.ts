import { BankUnavailable } from '../bank.ts';
import type { FindKey } from '../bank-keys.ts';
import type { SignedAnswer } from '../signed-answer.ts';
import { parseConsent, parsePayment } from './bodies.ts';
import { pathOf } from './consents.ts';
import { signerOf } from './message-signature.ts';
import { type CallResource, paymentPath } from './resource.ts';

/** GET of one consent or payment, in our own name, with the bank's signature over it. */
export async function readSigned(
  call: CallResource,
  { keys, keysAt }: { keys: FindKey; keysAt: string },
  about: 'consent' | 'payment',
  id: string,
): Promise<SignedAnswer> {
  const path = about === 'consent' ? pathOf(id) : paymentPath(id);
  const answer = await call({ method: 'GET', path, accessToken: null });
  if (answer.kind !== 'ok' || answer.signature === null)
    throw new BankUnavailable(`${about} ${id}: ${answer.httpStatus}, and nothing signed`);
  const { body, signature } = answer;
  const isOfIt =
    about === 'consent'
      ? parseConsent(body).Data.ConsentId === id
      : parsePayment(body).Data.DomesticVRPId === id;
  if (!isOfIt) throw new BankUnavailable(`the bank answered with another ${about}`);
  return { body, signature, key: await signerOf(body, signature, keys), keysAt };
}
