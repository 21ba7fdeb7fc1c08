import { randomUUID } from 'node:crypto';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { BankDefect, SignatureRefused } from '../../banks/bank.ts';
import { bankKeys } from '../../banks/bank-keys.ts';
import { type BackChannel, backChannel } from '../../banks/open-banking/back-channel.ts';
import { oauthClient } from '../../banks/open-banking/client.ts';
import type { OpenBankingConfig } from '../../banks/open-banking/config.ts';
import { rateLimit } from '../../banks/open-banking/rate-limit.ts';
import { type Discovery, readDiscovery } from '../../banks/open-banking/registration.ts';
import { type CallResource, resourceCaller } from '../../banks/open-banking/resource.ts';
import { signingKeyOf } from '../../banks/open-banking/signing-key.ts';
import { realNow } from '../../platform/time/clock.ts';
import { errorCode } from '../../platform/values/thrown.ts';
import { certificateFindings, certificatesIn } from './certificates.ts';

/** One line of `bank check`. */
export interface CheckLine {
  bank: string;
  /** What was looked at. */
  check: string;
  level: 'good' | 'warning' | 'problem';
  /** What was found, and what to do about it. */
  says: string;
}

type Found = Omit<CheckLine, 'bank' | 'check'>;
type Check = () => Promise<Found | Found[]>;

const good = (says: string): Found => ({ level: 'good', says });
const warning = (says: string): Found => ({ level: 'warning', says });
const problem = (says: string): Found => ({ level: 'problem', says });

/** Where to read who takes part in commercial VRP: `mla-participant.yaml`. */
export interface Participants {
  url: string;
  /** An access token of the directory. */
  token?: string;
}

/**
 * Checks one bank connection from our certificates to a signed round trip that moves no money and makes nothing. Every step is
 * tried; one that needs another that failed says so by failing too. Never throws.
 */
export async function checkBank(
  file: string,
  config: OpenBankingConfig,
  participants: Participants | null,
): Promise<CheckLine[]> {
  const channel = backChannel(config);
  const lines: CheckLine[] = [];
  const look = async (check: string, work: Check): Promise<void> => {
    const found = await work().catch((error: unknown) => problem(reasonOf(error)));
    lines.push(...[found].flat().map((one) => ({ bank: config.bankId, check, ...one })));
  };
  try {
    await look('certificates', async () => ownFiles(file, config));
    await look('signer', () => signs(config));
    let metadata: Discovery | null = null;
    await look('discovery', async () => {
      metadata = await readDiscovery(channel, config.issuer);
      return consistent(config, metadata);
    });
    await look('keys', () => publishedKeys(channel, config.bankJwksUri));
    const oauth = await oauthClient(config, channel, realNow);
    const call = resourceCaller({
      config,
      channel,
      oauth,
      bankKeys: bankKeys(config.bankJwksUri, channel),
      rateLimit: rateLimit(realNow),
      now: realNow,
    });
    await look('token', async () => {
      await oauth.ownToken();
      return good(`the bank gives ${config.clientId} a token`);
    });
    await look('signed answer', () => readsNothing(call));
    await look('our signature', () => asksNothing(call));
    if (participants !== null)
      await look('participants', () => checkParticipation(channel, config, participants));
  } finally {
    await channel.close();
  }
  return lines;
}

function ownFiles(file: string, config: OpenBankingConfig): Found[] {
  const found = certificateFindings(file, config, realNow()).map(({ level, says }) => ({
    level,
    says: says.replace(`${file}: ${config.bankId} `, ''),
  }));
  return [...found, ...chainOf(config.tls.cert), rolesOf(config.tls.cert)];
}

/** Checks that each certificate in our file is issued by the next one: servers want the chain in this order. */
function chainOf(pem: string): Found[] {
  const chain = certificatesIn(pem);
  return chain.slice(1).flatMap((issuer, i) => {
    const below = chain[i];
    return below?.checkIssued(issuer)
      ? []
      : [
          problem(
            `tls.cert: certificate ${i + 1} is not issued by certificate ${i + 2}: put them in order`,
          ),
        ];
  });
}

/** The roles that a qualified certificate can name (ETSI TS 119 495), as DER object identifiers 0.4.0.19495.1.x. */
const ROLES = ['PSP_AS', 'PSP_PI', 'PSP_AI', 'PSP_IC'].map(
  (name, i) =>
    [name, Buffer.from([0x06, 0x07, 0x04, 0x00, 0x81, 0x98, 0x27, 0x01, i + 1])] as const,
);

function rolesOf(pem: string): Found {
  const [own] = certificatesIn(pem);
  if (own === undefined) return problem('tls.cert is no certificate');
  const roles = ROLES.flatMap(([name, der]) => (own.raw.includes(der) ? [name] : []));
  if (roles.includes('PSP_PI')) return good(`tls.cert names the roles ${roles.join(', ')}`);
  return warning(
    roles.length === 0
      ? 'tls.cert names no role of a payment service: most live banks want one with PSP_PI (OBWAC or QWAC)'
      : `tls.cert names ${roles.join(', ')}, and not PSP_PI: it cannot start payments`,
  );
}

/** Has our key sign something that is never sent. */
async function signs(config: OpenBankingConfig): Promise<Found> {
  const { kid, signer } = signingKeyOf(config);
  const signature = await signer.sign(kid, 'PS256', Buffer.from(`check ${randomUUID()}`));
  if (signature.length < 256)
    return problem(
      `the signature of ${kid} has ${signature.length} bytes: an RSA key of 2048 bits gives 256`,
    );
  return good(`${kid} signs`);
}

function consistent(config: OpenBankingConfig, metadata: Discovery): Found[] {
  const lacks = (name: keyof Discovery & `${string}_supported`, wanted: string): Found[] => {
    const offered = metadata[name] ?? [wanted];
    if (offered.includes(wanted)) return [];
    return [problem(`${name} is ${offered.join(', ')}: we need ${wanted}`)];
  };
  const { tokenAuth = 'private_key_jwt' } = config;
  const found = [
    ...lacks('response_types_supported', 'code id_token'),
    ...lacks('token_endpoint_auth_methods_supported', tokenAuth),
    ...lacks('request_object_signing_alg_values_supported', 'PS256'),
    ...lacks('id_token_signing_alg_values_supported', 'PS256'),
  ];
  if (metadata.issuer !== config.issuer)
    found.push(problem(`its issuer is ${metadata.issuer}: write exactly that as issuer`));
  const register =
    metadata.registration_endpoint === undefined
      ? 'it has no registration_endpoint: it registers on its developer portal'
      : `it registers at ${metadata.registration_endpoint}`;
  return found.length > 0
    ? found
    : [good(`${config.issuer} is reached over mutual TLS; ${register}`)];
}

const KeySet = Type.Object({ keys: Type.Array(Type.Object({ kty: Type.String() })) });

async function publishedKeys(channel: BackChannel, url: string): Promise<Found> {
  const { status, body } = await channel.send({ method: 'GET', url, headers: {} });
  const content: unknown = status === 200 ? JSON.parse(body) : null;
  if (!Value.Check(KeySet, content)) return problem(`${url} answered ${status} and no key set`);
  const usable = (
    content.keys as { kty: string; alg?: string; use?: string; kid?: string }[]
  ).filter(
    ({ kty, alg = 'PS256', use = 'sig' }) => kty === 'RSA' && alg === 'PS256' && use === 'sig',
  );
  if (usable.length === 0)
    return problem(`${url} has no key for PS256: ask the bank for the right bank_jwks_uri`);
  return good(`${url} has ${usable.length} for PS256: ${usable.map(({ kid }) => kid).join(', ')}`);
}

const NO_CONSENT = () => `recollect-check-${randomUUID().slice(0, 8)}`;

/** Reads a consent that does not exist: shows that token, certificate and address are right, and who signs the answer. */
async function readsNothing(call: CallResource): Promise<Found> {
  const path = `/domestic-vrp-consents/${NO_CONSENT()}`;
  const answer = await call({ method: 'GET', path, accessToken: null });
  if (answer.kind === 'ok') return problem('the bank answered with a consent that nobody made');
  const said = `${answer.httpStatus} ${answer.codes.join(' ')}`.trim();
  if (answer.httpStatus === 403)
    return problem(`the bank answered ${said}: our registration may not use payments`);
  if (answer.httpStatus === 404 && answer.codes.length === 0)
    return problem(`the bank answered a bare 404: check resource_base`);
  return answer.isSigned
    ? good(`a consent that does not exist is answered with ${said}, signed by bank_org_id`)
    : warning(
        `a consent that does not exist is answered with ${said}, unsigned: a signed answer was not seen`,
      );
}

/** Sends a signed request that asks for nothing: the bank must find fault with its content, and not with its signature. */
async function asksNothing(call: CallResource): Promise<Found> {
  try {
    const answer = await call({
      method: 'POST',
      path: '/domestic-vrp-consents',
      accessToken: null,
      idempotencyKey: randomUUID(),
      body: JSON.stringify({ Data: {}, Risk: {} }),
    });
    if (answer.kind === 'ok') return problem('the bank made a consent of an empty request');
    return good(`an empty request is refused with ${answer.codes[0] ?? answer.httpStatus}`);
  } catch (error) {
    if (!(error instanceof BankDefect)) throw error;
    if (error instanceof SignatureRefused)
      return problem(
        `the bank does not take our signature (${error.bankCode}): check the kid and that the directory publishes its public key, org_id and software_id`,
      );
    return good(`our signature holds: an empty request is refused with ${error.bankCode}`);
  }
}

const ParticipantList = Type.Object({
  Data: Type.Array(Type.Object({ OBOrganisationId: Type.String(), MLAStatus: Type.String() })),
});

/** Looks up the bank and us among those who take part in commercial VRP. */
async function checkParticipation(
  channel: BackChannel,
  config: OpenBankingConfig,
  { url, token }: Participants,
): Promise<Found[]> {
  const answer = await channel.send({
    method: 'GET',
    url,
    headers: {
      accept: 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    },
  });
  const content: unknown = answer.status === 200 ? JSON.parse(answer.body) : null;
  if (!Value.Check(ParticipantList, content))
    return [problem(`${url} answered ${answer.status} and no list of participants`)];
  const of = (who: string, orgId: string): Found => {
    const status = content.Data.find((one) => one.OBOrganisationId === orgId)?.MLAStatus;
    if (status === 'Active') return good(`${who} (${orgId}) takes part in commercial VRP`);
    return problem(`${who} (${orgId}) is ${status ?? 'not listed'} in commercial VRP`);
  };
  return [of('we', config.orgId), ...(config.bankOrgId ? [of('the bank', config.bankOrgId)] : [])];
}

/** Returns an error and what caused it in one line. */
function reasonOf(error: unknown): string {
  const words: string[] = [];
  let one: unknown = error;
  for (let depth = 0; depth < 5 && one instanceof Error; depth += 1) {
    const code = errorCode(one);
    const said = code === '' ? one.message : `${one.message} (${code})`;
    if (!words.includes(said)) words.push(said);
    one = one.cause;
  }
  return words.join(': ') || String(error);
}
