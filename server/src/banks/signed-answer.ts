import type { JWK } from 'jose';

/** What a bank says of a consent or payment, signed, so that others can verify it. */
export interface SignedAnswer {
  /** The exact text that it signed. */
  body: string;
  /** A detached JWS over the text (RFC 7515, appendix F). */
  signature: string;
  /** The bank's public key. */
  key: JWK;
  /** Where the bank publishes it. */
  keysAt: string;
}
