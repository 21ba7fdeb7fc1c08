import { createHash, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';
import type { Carried } from './packages.ts';

/** What was built, from what. */
export interface Built {
  version: string;
  commit: string;
  /** Where the repository can be fetched; null: it has no remote. */
  repository: string | null;
  withSandbox: boolean;
  /** Who ran the build, as a URI. */
  builder: string;
  /** The SHA-256 sums of the artefacts, in hexadecimal, by name. */
  sums: ReadonlyMap<string, string>;
  packages: readonly Carried[];
  /** The Node that built it, and the image that an image is built on. */
  node: string;
  image: string;
}

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: readonly { keyid: string; sig: string }[];
}

const PAYLOAD = 'application/vnd.in-toto+json';
const STATEMENT = 'https://in-toto.io/Statement/v1';
const PREDICATE = 'https://slsa.dev/provenance/v1';

/** Returns the statement of where the artefacts come from: in-toto v1, with SLSA's provenance v1. */
export function statementOf(built: Built): object {
  return {
    _type: STATEMENT,
    subject: [...built.sums].map(([name, sha256]) => ({ name, digest: { sha256 } })),
    predicateType: PREDICATE,
    predicate: {
      buildDefinition: {
        buildType: 'urn:recollect:npm-run-release:v1',
        externalParameters: { version: built.version, withSandbox: built.withSandbox },
        internalParameters: { node: built.node },
        resolvedDependencies: [
          {
            uri: `git+${built.repository ?? 'file:recollect'}@${built.commit}`,
            digest: { gitCommit: built.commit },
          },
          { uri: `docker://${built.image}`, digest: { sha256: built.image.split('@sha256:')[1] } },
          ...built.packages.flatMap(({ name, version, integrity }) =>
            integrity === null ? [] : [dependency(name, version, integrity)],
          ),
        ],
      },
      runDetails: { builder: { id: built.builder } },
    },
  };
}

const dependency = (name: string, version: string, integrity: string): object => ({
  uri: `pkg:npm/${name.replace('@', '%40')}@${version}`,
  digest: { sha512: Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex') },
});

/** What is signed: the type and the payload with their lengths (DSSE's pre-authentication encoding). */
function encoded(type: string, payload: Buffer): Buffer {
  const head = `DSSEv1 ${Buffer.byteLength(type)} ${type} ${payload.length} `;
  return Buffer.concat([Buffer.from(head), payload]);
}

/** Returns the name of a key: the SHA-256 sum of its public half. */
const keyId = (key: KeyObject): string =>
  createHash('sha256')
    .update(
      (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' }),
    )
    .digest('hex');

/** Signs a statement with an Ed25519 key; returns the envelope (DSSE) as text. The same statement and key give the same bytes. */
export function signedText(statement: object, key: KeyObject): string {
  if (key.asymmetricKeyType !== 'ed25519')
    throw new Error(`the release key is of type ${key.asymmetricKeyType}, and not ed25519`);
  const payload = Buffer.from(JSON.stringify(statement));
  const envelope: Envelope = {
    payloadType: PAYLOAD,
    payload: payload.toString('base64'),
    signatures: [
      { keyid: keyId(key), sig: sign(null, encoded(PAYLOAD, payload), key).toString('base64') },
    ],
  };
  return `${JSON.stringify(envelope, null, 2)}\n`;
}

/** Returns the sums that a signed statement vouches for, by name. Throws if the key did not sign it, or it is no provenance. */
export function verifiedSums(text: string, key: KeyObject): Map<string, string> {
  const { payloadType, payload, signatures } = JSON.parse(text) as Envelope;
  const bytes = Buffer.from(payload, 'base64');
  const isSigned = signatures.some(({ sig }) =>
    verify(null, encoded(payloadType, bytes), key, Buffer.from(sig, 'base64')),
  );
  if (!isSigned) throw new Error(`the provenance is not signed by the key ${keyId(key)}`);
  const statement = JSON.parse(bytes.toString()) as {
    predicateType?: string;
    subject: { name: string; digest: { sha256: string } }[];
  };
  if (payloadType !== PAYLOAD || statement.predicateType !== PREDICATE)
    throw new Error('the provenance is signed, and is no provenance of SLSA v1');
  return new Map(statement.subject.map(({ name, digest }) => [name, digest.sha256]));
}
