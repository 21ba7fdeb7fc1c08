import { createPrivateKey, type JsonWebKeyInput } from 'node:crypto';
import type { OpenBankingConfig } from '../../banks/open-banking/config.ts';
import type { ReadText } from './modulr.ts';

/** The members of a private RSA key as a JWK, besides `kty` and `kid`. */
const KEY_MEMBERS = ['n', 'e', 'd', 'p', 'q', 'dp', 'dq', 'qi'];
const SHORTEST_KEY_BITS = 2048;

/** What an entry says of the key that signs. */
interface SigningEntry {
  signing_jwk?: string;
  signing_service?: { url: string; kid: string; token_file?: string };
}

/** Returns the key in a file, or the service that signs: exactly one of them. Adds what is wrong to `problems`. */
export function signingOf(
  { signing_jwk: file, signing_service: service }: SigningEntry,
  text: ReadText,
  problems: string[],
): Pick<OpenBankingConfig, 'signingJwk' | 'signingService'> {
  if ((file === undefined) === (service === undefined)) {
    problems.push('needs signing_jwk or signing_service: write one of them, and not both');
    return { signingJwk: {} };
  }
  if (service === undefined)
    return { signingJwk: parseKey(text(file ?? '', 'signing_jwk'), file ?? '', problems) };
  const { url, kid, token_file: tokenFile } = service;
  if (!isSigningAddress(url))
    problems.push(
      'has no good signing_service.url: write https://…, http:// to this machine, or unix:/path',
    );
  const token = tokenFile === undefined ? null : text(tokenFile, 'signing_service.token_file');
  return {
    signingJwk: {},
    signingService: { url, kid, ...(token === null ? {} : { token: token.trim() }) },
  };
}

function isSigningAddress(address: string): boolean {
  if (address.startsWith('unix:')) return address.startsWith('unix:/') && address.length > 6;
  const url = URL.parse(address);
  if (url?.protocol === 'https:') return true;
  return url?.protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname);
}

/** Parses the signing key; adds what is wrong with it to `problems`. `content` is empty if the file could not be read. */
function parseKey(
  content: string,
  path: string,
  problems: string[],
): OpenBankingConfig['signingJwk'] {
  if (content === '') return {};
  const wrong = (says: string): void => void problems.push(`has a signing_jwk, ${path}, ${says}`);
  let jwk: Record<string, unknown>;
  try {
    jwk = JSON.parse(content) as Record<string, unknown>;
  } catch {
    wrong('that is not JSON: write the private key as a JWK');
    return {};
  }
  if (typeof jwk !== 'object' || jwk === null || jwk.kty !== 'RSA') {
    wrong('that is no RSA key: write a private RSA key as a JWK, with "kty": "RSA"');
    return {};
  }
  if (typeof jwk.kid !== 'string' || jwk.kid === '')
    wrong('without a kid: write the kid under which the directory has the public key');
  if (jwk.alg !== undefined && jwk.alg !== 'PS256')
    wrong(`for ${String(jwk.alg)}: write a key for PS256`);
  const absent = KEY_MEMBERS.filter((member) => typeof jwk[member] !== 'string');
  if (absent.length > 0) wrong(`without ${absent.join(', ')}: write the whole private key`);
  else checkKey(jwk, wrong);
  return jwk as OpenBankingConfig['signingJwk'];
}

function checkKey(jwk: Record<string, unknown>, wrong: (says: string) => void): void {
  try {
    const { asymmetricKeyDetails } = createPrivateKey({
      key: jwk as JsonWebKeyInput['key'],
      format: 'jwk',
    });
    const bits = asymmetricKeyDetails?.modulusLength ?? 0;
    if (bits < SHORTEST_KEY_BITS)
      wrong(`of ${bits} bits: write one of at least ${SHORTEST_KEY_BITS}`);
  } catch {
    wrong('whose numbers make no key: write the whole private key as a JWK');
  }
}
