import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLocalJWKSet, importJWK, SignJWT } from 'jose';
import { makeSigningKey } from '../../sandbox/signing-key.ts';
import { type BankNotification, BankUnavailable, NotificationInvalid } from '../bank.ts';
import type { OpenBankingConfig } from './config.ts';
import { verifyNotification } from './notifications.ts';

const bankKey = await makeSigningKey();
const keys = createLocalJWKSet({ keys: [bankKey.publicJwk] });
const config: OpenBankingConfig = {
  bankId: 'stub',
  name: 'Stub Bank',
  issuer: 'https://bank.test',
  resourceBase: 'https://bank.test/pisp',
  clientId: 'client-1',
  orgId: 'org-tpp',
  softwareId: 'software-1',
  bankOrgId: 'org-bank',
  bankJwksUri: 'https://bank.test/jwks',
  vrpType: 'UK.OBIE.VRPType.CVRP1',
  tls: { ca: '', cert: '', key: '' },
  signingJwk: {},
};

function verify(jwt: string): Promise<BankNotification> {
  return verifyNotification(config, keys, Temporal.Now.instant, jwt);
}

async function notification(claims: Record<string, unknown>, key = bankKey): Promise<string> {
  const privateKey = await importJWK(key.privateJwk, 'PS256');
  return new SignJWT({ jti: 'j1', iss: 'org-bank', aud: 'client-1', ...claims })
    .setProtectedHeader({ alg: 'PS256', kid: bankKey.publicJwk.kid ?? '' })
    .setIssuedAt()
    .sign(privateKey);
}

const event = (rid: string, rty: string): object => ({
  subject: { 'http://openbanking.org.uk/rid': rid, 'http://openbanking.org.uk/rty': rty },
});

test('a notification names the resources that changed, and nothing of unknown kinds', async () => {
  const events = {
    'urn:uk:org:openbanking:events:resource-update': event('dvrp-1', 'domestic-vrp'),
    'urn:uk:org:openbanking:events:consent-authorization-revoked': event(
      'vrp-1',
      'domestic-vrp-consent',
    ),
    'urn:example:other': { subject: {} },
    'urn:example:more': event('a-1', 'account'),
  };
  assert.deepEqual(await verify(await notification({ events })), {
    jti: 'j1',
    resources: [
      { kind: 'payment', id: 'dvrp-1' },
      { kind: 'consent', id: 'vrp-1' },
    ],
  });
});

test('a notification by somebody else, for somebody else, or that is none, is refused', async () => {
  const forged = await notification({ events: {} }, await makeSigningKey());
  const wrong = [
    forged,
    await notification({ events: {}, aud: 'client-2' }),
    await notification({ events: {}, iss: 'org-other' }),
    await notification({}),
    'not a token',
  ];
  for (const jwt of wrong) await assert.rejects(verify(jwt), NotificationInvalid);
});

test('when the keys of the bank cannot be had, the notification is to be sent again', async () => {
  const outage = () => Promise.reject(new BankUnavailable('down'));
  const jwt = await notification({ events: {} });
  await assert.rejects(
    verifyNotification(config, outage, Temporal.Now.instant, jwt),
    BankUnavailable,
  );
});
