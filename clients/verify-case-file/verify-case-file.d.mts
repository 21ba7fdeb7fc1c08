/** A public key, as `/.well-known/case-file-keys.json` has it. */
export interface PublishedKey {
  kty?: string;
  crv?: string;
  x?: string;
}

/** Verifies the bytes of a case file, against published keys if there are some; returns the exit status and what to say. */
export function verifyCaseFile(
  zip: Buffer,
  keys?: readonly PublishedKey[],
): { status: number; lines: string[] };
