import {
  createHash,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
} from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';

const PRESENT = 0x01;
const VERIFIED = 0x04;
const WITH_CREDENTIAL = 0x40;

const sha256 = (bytes: string | Buffer): Buffer => createHash('sha256').update(bytes).digest();
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64url');

/** What a page passes to its browser: the server's options, and the page's origin. */
interface Asked {
  challenge: string;
  origin?: string;
  /** Whether its owner unlocked it. */
  unlocked?: boolean;
}

/** A software authenticator with one key; it responds as a browser would. Only for tests. */
export class Authenticator {
  readonly #id = randomBytes(32);
  readonly #privateKey: KeyObject;
  readonly #coseKey: Uint8Array;
  readonly #rpId: string;
  counter = 0;
  userHandle: string | undefined;

  constructor(rpId = 'localhost') {
    this.#rpId = rpId;
    const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
    this.#privateKey = privateKey;
    this.#coseKey = isoCBOR.encode(
      new Map<number, number | Uint8Array>([
        [1, 2], // an elliptic curve,
        [3, -7], // ES256,
        [-1, 1], // P-256
        [-2, new Uint8Array(Buffer.from(x, 'base64url'))],
        [-3, new Uint8Array(Buffer.from(y, 'base64url'))],
      ]),
    );
  }

  get id(): string {
    return text(this.#id);
  }

  /** Responds to the options for a new passkey. */
  register(asked: Asked & { user: { id: string } }): object {
    this.userHandle = asked.user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.#id.length);
    const authData = Buffer.concat([
      this.#data(asked, WITH_CREDENTIAL),
      Buffer.alloc(16), // no authenticator model
      length,
      this.#id,
      this.#coseKey,
    ]);
    const attestationObject = isoCBOR.encode(
      new Map<string, string | Uint8Array | Map<string, string>>([
        ['fmt', 'none'],
        ['attStmt', new Map<string, string>()],
        ['authData', new Uint8Array(authData)],
      ]),
    );
    return this.#answer({
      clientDataJSON: text(clientData('webauthn.create', asked)),
      attestationObject: text(attestationObject),
      transports: ['internal'],
    });
  }

  /** Responds to the options for signing in. */
  use(asked: Asked): object {
    this.counter++;
    const client = clientData('webauthn.get', asked);
    const authData = this.#data(asked, 0);
    const signature = createSign('sha256')
      .update(Buffer.concat([authData, sha256(client)]))
      .sign(this.#privateKey);
    return this.#answer({
      clientDataJSON: text(client),
      authenticatorData: text(authData),
      signature: text(signature),
      ...(this.userHandle === undefined ? {} : { userHandle: this.userHandle }),
    });
  }

  #data({ unlocked = true }: Asked, flags: number): Buffer {
    const head = Buffer.alloc(5);
    head.writeUInt8(PRESENT | flags | (unlocked ? VERIFIED : 0));
    head.writeUInt32BE(this.counter, 1);
    return Buffer.concat([sha256(this.#rpId), head]);
  }

  #answer(response: object): object {
    const { id } = this;
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
  }
}

function clientData(type: string, { challenge, origin = 'http://localhost:4000' }: Asked): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}
