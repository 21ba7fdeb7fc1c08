import Type from 'typebox';
import { Value } from 'typebox/value';
import { realNow } from '../../platform/time/clock.ts';
import { isBefore } from '../../platform/values/instants.ts';
import { type BankNotification, NotificationInvalid, type PushedNotice } from '../bank.ts';
import type { FindKey } from '../bank-keys.ts';
import type { TrueLayerConfig } from './config.ts';
import { BANK_ID } from './consents.ts';
import { readSignatureHeader, SignatureInvalid, verifySignature } from './signature.ts';

const SIGNATURE = 'tl-signature';
const TIMESTAMP = 'x-tl-webhook-timestamp';
/**
 * How old a notice may be. TrueLayer repeats one for up to 72 hours, and nobody knows whether it signs it again; we remember its
 * id for longer, so that an older one is not taken for new.
 */
const OLDEST = Temporal.Duration.from({ hours: 73 });
/** How far our clocks may differ. */
const AHEAD = Temporal.Duration.from({ minutes: 5 });

const Id = Type.String({ minLength: 1, maxLength: 128 });
const Notice = Type.Object({
  type: Type.String(),
  event_id: Id,
  payment_id: Type.Optional(Id),
  mandate_id: Type.Optional(Id),
  metadata: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

/**
 * Verifies a notice: signed by TrueLayer for our address, over its bytes, and lately. Its keys are read from the address of the
 * configuration alone: one that names another is refused. A notice of a kind that we do not use is genuine, and is about nothing.
 */
export async function verifyNotification(
  config: TrueLayerConfig,
  keys: FindKey,
  { path, headers, body }: PushedNotice,
): Promise<BankNotification> {
  const one = (name: string): string => {
    const value = headers[name.toLowerCase()];
    if (typeof value !== 'string') throw new NotificationInvalid(`there is not one header ${name}`);
    return value;
  };
  try {
    const signature = one(SIGNATURE);
    const { names, keysAt } = readSignatureHeader(signature);
    if (keysAt !== config.hosts.noticeKeys)
      throw new NotificationInvalid('the notice names other keys than the configuration');
    if (!names.some((name) => name.toLowerCase() === TIMESTAMP))
      throw new NotificationInvalid('the signature does not cover when the notice was sent');
    const signed = names.map((name) => [name, one(name)] as const);
    await verifySignature(signature, { method: 'POST', path, headers: signed, body }, keys);
  } catch (cause) {
    if (!(cause instanceof SignatureInvalid)) throw cause;
    throw new NotificationInvalid('the notice is not signed by TrueLayer for us', { cause });
  }
  checkAge(one(TIMESTAMP));
  return readNotice(config, body);
}

function checkAge(timestamp: string): void {
  let at: Temporal.Instant;
  try {
    at = Temporal.Instant.from(timestamp);
  } catch (cause) {
    throw new NotificationInvalid('the time of the notice cannot be read', { cause });
  }
  const now = realNow();
  if (isBefore(at, now.subtract(OLDEST)) || isBefore(now.add(AHEAD), at))
    throw new NotificationInvalid('the notice is too old, or from the future');
}

/** Reads what a notice is about. Which bank that is, our own order said: without its word, polling finds what has changed. */
function readNotice({ bankId }: TrueLayerConfig, body: Buffer): BankNotification {
  let notice: ReturnType<typeof parse>;
  try {
    notice = parse(body);
  } catch (cause) {
    throw new NotificationInvalid('the notice cannot be read', { cause });
  }
  const { type, event_id: jti, payment_id: payment, mandate_id: consent, metadata } = notice;
  const about = metadata?.[BANK_ID];
  if (typeof about !== 'string' || !about.startsWith(`${bankId}-`)) return { jti, resources: [] };
  if (type.startsWith('payment_') && payment !== undefined)
    return { jti, bankId: about, resources: [{ kind: 'payment', id: payment }] };
  if (type.startsWith('mandate_') && consent !== undefined)
    return { jti, bankId: about, resources: [{ kind: 'consent', id: consent }] };
  return { jti, resources: [] };
}

const parse = (body: Buffer) => Value.Parse(Notice, JSON.parse(body.toString()));
