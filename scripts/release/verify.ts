import { createHash, type KeyObject } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { verifiedSums } from './provenance.ts';

/** The file with the sums, as `sha256sum --check` reads it. */
export const SUMS = 'SHA256SUMS';
/** The signed statement of where the artefacts come from. */
export const PROVENANCE = 'provenance.intoto.json';

/** Returns the file of the sums. */
export const sumsText = (sums: ReadonlyMap<string, string>): string =>
  [...sums].map(([name, sum]) => `${sum}  ${name}\n`).join('');

function readSums(text: string): Map<string, string> {
  const lines = text.split('\n').filter((line) => line !== '');
  return new Map(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
}

/**
 * Returns what is wrong with a folder of artefacts: a sum that differs, a file that is missing or that nobody vouches for, a
 * provenance that the key did not sign.
 */
export function verifyRelease(folder: string, key: KeyObject): string[] {
  const read = (name: string): Buffer => readFileSync(join(folder, name));
  const files = readdirSync(folder).filter((name) => name !== SUMS);
  for (const name of [SUMS, PROVENANCE])
    if (!readdirSync(folder).includes(name)) return [`${name} is missing`];
  let vouched: Map<string, string>;
  try {
    vouched = verifiedSums(read(PROVENANCE).toString(), key);
  } catch (error) {
    return [(error as Error).message];
  }
  const listed = readSums(read(SUMS).toString());
  const names = [...new Set([...files, ...listed.keys(), ...vouched.keys()])].sort();
  return names.flatMap((name) => {
    if (!files.includes(name)) return [`${name} is missing`];
    const sum = createHash('sha256').update(read(name)).digest('hex');
    const problems = listed.get(name) === sum ? [] : [`${name} has another sum than in ${SUMS}`];
    if (name !== PROVENANCE && vouched.get(name) !== sum)
      problems.push(`${name} has another sum than in the signed provenance`);
    return problems;
  });
}
