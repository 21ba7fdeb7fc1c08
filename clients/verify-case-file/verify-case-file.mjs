#!/usr/bin/env node
// Verifies a case file without the service that made it, and without any of its code: Node 20.15 or newer, nothing else.
//
//   node verify-case-file.mjs case-file.zip --keys case-file-keys.json
//
// The keys are those that the service publishes at /.well-known/case-file-keys.json: fetch them yourself, from the address that
// you know the service by. Exit status 0: every byte is as it was signed, by one of these keys. 1: something was changed, and the
// output names it. 2: the file is whole, but no keys were given, so anybody may have signed it.
import { constants, createHash, createPublicKey, verify } from 'node:crypto';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { crc32 } from 'node:zlib';

/** What is wrong with a file, in a line for people. */
class Changed extends Error {}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const NAMES = ['index.json', 'index.sig', 'case.json', 'case.pdf'];

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex');

/** Returns the entries of an archive in which nothing is compressed: each is found by its length, not by its content. */
function entriesOf(zip) {
  const entries = [];
  let at = 0;
  while (at + 30 <= zip.length && zip.readUInt32LE(at) === LOCAL) {
    const size = zip.readUInt32LE(at + 18);
    const nameLength = zip.readUInt16LE(at + 26);
    const start = at + 30 + nameLength;
    const name = zip.toString('latin1', at + 30, at + 30 + nameLength);
    entries.push({ name, at, start, bytes: zip.subarray(start, start + size) });
    at = start + size;
  }
  return entries;
}

/** Returns the archive that these entries make, byte for byte. */
function archiveOf(entries, packedAt) {
  const parts = [];
  const directory = [];
  let at = 0;
  for (const { name, bytes } of entries) {
    const fixed = Buffer.alloc(26);
    fixed.writeUInt16LE(20, 0);
    fixed.writeUInt32LE(packedAt, 6);
    fixed.writeUInt32LE(crc32(bytes), 10);
    fixed.writeUInt32LE(bytes.length, 14);
    fixed.writeUInt32LE(bytes.length, 18);
    fixed.writeUInt16LE(name.length, 22);
    const local = Buffer.alloc(4);
    local.writeUInt32LE(LOCAL);
    parts.push(local, fixed, Buffer.from(name), bytes);
    const head = Buffer.alloc(6);
    head.writeUInt32LE(CENTRAL);
    head.writeUInt16LE(20, 4);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(at, 10);
    directory.push(head, fixed, tail, Buffer.from(name));
    at += 30 + name.length + bytes.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(END);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...parts, listed, end]);
}

/** Returns the place of the first byte in which two texts differ; -1: none. */
function firstDifference(a, b) {
  const length = Math.max(a.length, b.length);
  for (let n = 0; n < length; n += 1) if (a[n] !== b[n]) return n;
  return -1;
}

/** Reads the archive. Throws if a byte of it that belongs to no file is not as every such archive has it. */
function unpack(zip) {
  const entries = entriesOf(zip);
  const found = entries.map(({ name }) => name).join(', ');
  const packedAt = zip.length > 14 ? zip.readUInt32LE(10) : 0;
  const wanted = archiveOf(entries, packedAt);
  const at = firstDifference(zip, wanted);
  if (found !== NAMES.join(', '))
    throw new Changed(
      `the archive: it should hold ${NAMES.join(', ')}, and holds ${found || 'nothing'}` +
        (at < 0 ? '' : `; it differs from byte ${at} on`),
    );
  const files = Object.fromEntries(entries.map(({ name, bytes }) => [name, bytes]));
  const starts = Object.fromEntries(entries.map(({ name, start }) => [name, start]));
  return { files, starts, frameDiffersAt: at };
}

/** Checks the signature of the index; says which of the two was changed. Returns the index. */
function readIndex(files) {
  const form = /^sha256 ([0-9a-f]{64})\nEd25519 ([A-Za-z0-9+/]{86}==)\n$/;
  const lines = form.exec(files['index.sig'].toString('latin1'));
  if (lines === null) throw new Changed('index.sig: it is not a digest and a signature');
  const [, digest, signature] = lines;
  const isAsSummed = digest === sha256(files['index.json']);
  const index = parse(files['index.json']);
  const bytes = Buffer.from(signature, 'base64');
  const isCanonical = bytes.toString('base64') === signature;
  if (index !== null && isCanonical && isSigned(index.key, files['index.json'], bytes)) {
    if (!isAsSummed) throw new Changed('index.sig: its digest of index.json was changed');
    return index;
  }
  throw new Changed(
    isAsSummed
      ? 'index.sig: the signature was changed, or somebody else made it'
      : 'index.json: it is not what was signed',
  );
}

function parse(bytes) {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return null;
  }
}

function isSigned(key, bytes, signature) {
  try {
    // Of the key that the file names only an Ed25519 point is taken: any other kind would bring a signature of its own.
    if (key.kty !== 'OKP' || key.crv !== 'Ed25519') return false;
    const { kty, crv, x } = key;
    return verify(null, bytes, createPublicKey({ key: { kty, crv, x }, format: 'jwk' }), signature);
  } catch {
    return false;
  }
}

/** Says where a file differs from what the index says of it; null: nowhere. `rest` is the archive from its first byte on. */
function changeIn(rest, bytes, { name, bytes: length, sha256: whole, blocks }, block) {
  // If only the length before it was changed, the frame of the archive was, and not the file.
  if (sha256(rest.subarray(0, length)) === whole) return null;
  const changed = blocks.flatMap((digest, n) =>
    sha256(bytes.subarray(n * block, Math.min((n + 1) * block, bytes.length))) === digest
      ? []
      : [n],
  );
  const where = changed.map((n) =>
    placeOf(bytes, n * block, Math.min((n + 1) * block, length) - 1, name),
  );
  const size = bytes.length === length ? '' : `; it has ${bytes.length} bytes instead of ${length}`;
  return `${name}: changed ${where.join('; ') || 'at its end'}${size}`;
}

function placeOf(bytes, from, to, name) {
  const place = `between bytes ${from} and ${to}`;
  if (!name.endsWith('.json')) return place;
  const lineOf = (at) => bytes.subarray(0, at).toString('latin1').split('\n').length;
  return `${place} (lines ${lineOf(from)} to ${lineOf(to)})`;
}

/** Whether a bank signed its answer with the key beside it: a detached JWS (RFC 7515, appendix F) by PS256. */
function isBanksWord({ body, signature, key }) {
  try {
    const [encoded, middle, value] = signature.split('.');
    const { alg, kid } = JSON.parse(Buffer.from(encoded, 'base64url').toString());
    if (alg !== 'PS256' || middle !== '' || kid !== key.kid || key.kty !== 'RSA') return false;
    const { kty, n, e } = key;
    const pss = { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: 32 };
    const publicKey = createPublicKey({ key: { kty, n, e }, format: 'jwk' });
    const signed = Buffer.from(`${encoded}.${Buffer.from(body).toString('base64url')}`);
    return verify('sha256', signed, { key: publicKey, ...pss }, Buffer.from(value, 'base64url'));
  } catch {
    return false;
  }
}

/** Returns what the banks' signatures in a file prove, a line each, and which of them do not hold. */
function bankAnswersIn(bytes) {
  const answers = (parse(bytes)?.bank_answers ?? []).filter(({ message }) => message !== null);
  const [held, wrong] = [[], []];
  for (const { kind, about, bank, message } of answers)
    if (isBanksWord(message))
      held.push(
        `${bank.name} signed its answer about ${kind} ${about}: key ${message.key.kid}, of ${message.keys_at}.`,
      );
    else wrong.push(`case.json: the key of ${bank.name} did not sign its answer about ${about}`);
  return { held, wrong };
}

/** Verifies an archive; returns the id of the key that signed it, what banks signed in it, and what is wrong, a line each. */
function verifyArchive(zip) {
  const { files, starts, frameDiffersAt } = unpack(zip);
  const index = readIndex(files);
  const listed = index.files.map(({ name }) => name).join(', ');
  if (listed !== NAMES.slice(2).join(', ')) throw new Changed(`index.json: it lists ${listed}`);
  const wrong = index.files
    .map((file) => changeIn(zip.subarray(starts[file.name]), files[file.name], file, index.block))
    .filter((line) => line !== null);
  if (wrong.length === 0 && frameDiffersAt >= 0)
    wrong.push(`the archive: changed at byte ${frameDiffersAt}, outside of its files`);
  // A frame that fits a longer file: something was added behind what was signed.
  if (wrong.length === 0)
    for (const { name, bytes } of index.files)
      if (files[name].length !== bytes)
        wrong.push(`${name}: it has ${files[name].length} bytes instead of ${bytes}`);
  const banks = bankAnswersIn(files['case.json']);
  return { index, held: banks.held, wrong: wrong.length === 0 ? banks.wrong : wrong };
}

/** Verifies the bytes of a case file, against published keys if there are some; returns the exit status and what to say. */
export function verifyCaseFile(zip, keys) {
  try {
    const { index, held, wrong } = verifyArchive(zip);
    if (wrong.length > 0) return { status: 1, lines: wrong };
    const { kid, x } = index.key;
    const about = `the case file of ${index.dispute_id}, made at ${index.made_at}`;
    if (keys === undefined)
      return {
        status: 2,
        lines: [
          `Whole, as the key ${kid} signed it: ${about}.`,
          `Whose key that is was not checked: fetch ${index.keys_at} and pass it with --keys.`,
          ...held,
        ],
      };
    if (!keys.some((key) => key.kty === 'OKP' && key.crv === 'Ed25519' && key.x === x))
      return { status: 1, lines: [`index.json: the key ${kid} is none of the service's`] };
    return { status: 0, lines: [`Verified: ${about}, signed by the key ${kid}.`, ...held] };
  } catch (error) {
    return {
      status: 1,
      lines: [error instanceof Changed ? error.message : `the archive: ${error.message}`],
    };
  }
}

function main([path, option, keysPath]) {
  const isAsked = option === undefined || (option === '--keys' && keysPath !== undefined);
  if (path === undefined || !isAsked) {
    console.error('Usage: verify-case-file.mjs FILE.zip [--keys case-file-keys.json]');
    return 1;
  }
  const keys = keysPath === undefined ? undefined : JSON.parse(readFileSync(keysPath, 'utf8')).keys;
  const { status, lines } = verifyCaseFile(readFileSync(path), keys);
  for (const line of lines) console.log(line);
  return status;
}

if (
  process.argv[1] !== undefined &&
  realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)
)
  process.exitCode = main(process.argv.slice(2));
