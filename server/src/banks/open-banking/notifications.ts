import { type FlattenedVerifyGetKey, type JWTPayload, jwtVerify } from 'jose';
import { type Static, Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { type BankNotification, BankUnavailable, NotificationInvalid } from '../bank.ts';
import type { Now } from './client.ts';
import type { OpenBankingConfig } from './config.ts';

const RESOURCE_ID = 'http://openbanking.org.uk/rid';
const RESOURCE_TYPE = 'http://openbanking.org.uk/rty';
const CLOCK_TOLERANCE_S = 60;

/** A notification may name a resource of any type; we use these. */
const KINDS: ReadonlyMap<string, 'consent' | 'payment'> = new Map([
  ['domestic-vrp-consent', 'consent'],
  ['domestic-vrp-consents', 'consent'],
  ['domestic-vrp', 'payment'],
  ['domestic-vrps', 'payment'],
]);

const Event = Type.Object({
  subject: Type.Object({
    [RESOURCE_ID]: Type.String({ minLength: 1, maxLength: 128 }),
    [RESOURCE_TYPE]: Type.String(),
  }),
});
const eventShape = Compile(Event);
const setShape = Compile(
  Type.Object({
    jti: Type.String({ minLength: 1, maxLength: 128 }),
    iat: Type.Number(),
    events: Type.Record(Type.String(), Type.Unknown()),
  }),
);

/**
 * Verifies a security event token that the bank pushed: signed by it (PS256), issued by it and meant for us. Whatever the kind of
 * event, returns only the resources that it names. Throws `NotificationInvalid`, or `BankUnavailable` if the bank's keys cannot
 * be fetched at the moment.
 */
export async function verifyNotification(
  config: OpenBankingConfig,
  keys: FlattenedVerifyGetKey,
  now: Now,
  jwt: string,
): Promise<BankNotification> {
  const claims = await verifiedClaims(config, keys, now, jwt);
  if (!setShape.Check(claims)) throw new NotificationInvalid('not a security event token');
  return { jti: claims.jti, resources: Object.values(claims.events).flatMap(resourceOf) };
}

async function verifiedClaims(
  config: OpenBankingConfig,
  keys: FlattenedVerifyGetKey,
  now: Now,
  jwt: string,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(jwt, keys, {
      algorithms: ['PS256'],
      // Banks identify themselves by their address or by their id in the directory, and us likewise.
      issuer: [config.issuer, config.bankOrgId],
      audience: [config.clientId, config.softwareId, config.orgId],
      currentDate: new Date(now().epochMilliseconds),
      clockTolerance: CLOCK_TOLERANCE_S,
    });
    return payload;
  } catch (cause) {
    if (cause instanceof BankUnavailable) throw cause;
    throw new NotificationInvalid('the notification is not from this bank for us', { cause });
  }
}

function resourceOf(event: unknown): BankNotification['resources'] {
  if (!eventShape.Check(event)) return [];
  const { subject } = event as Static<typeof Event>;
  const kind = KINDS.get(subject[RESOURCE_TYPE]);
  return kind ? [{ kind, id: subject[RESOURCE_ID] }] : [];
}
