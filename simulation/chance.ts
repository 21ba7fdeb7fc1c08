import { createHash } from 'node:crypto';

/** What a decision is about: its names and numbers, from the general to the particular. */
export type About = readonly (string | number)[];

/**
 * Decides by a hash of the seed and of what the decision is about, never from a shared sequence: the order in which
 * parallel calls come cannot change history.
 */
export interface Chance {
  /** From 0 up to 1. */
  share(...about: About): number;
  happens(likelihood: number, ...about: About): boolean;
  /** A whole number, both ends included. */
  whole(least: number, most: number, ...about: About): number;
  pick<T>(choices: readonly [T, ...T[]], ...about: About): T;
  /** So many bytes. */
  bytes(size: number, ...about: About): Buffer;
}

const BITS = 48;

/** The chance of a seed. */
export function makeChance(seed: string): Chance {
  const digest = (about: About): Buffer =>
    createHash('sha256')
      .update(JSON.stringify([seed, ...about]))
      .digest();
  const share = (...about: About): number => digest(about).readUIntBE(0, BITS / 8) / 2 ** BITS;
  const whole = (least: number, most: number, ...about: About): number =>
    least + Math.floor(share(...about) * (most - least + 1));
  return {
    share,
    whole,
    happens: (likelihood, ...about) => share(...about) < likelihood,
    pick: (choices, ...about) => choices[whole(0, choices.length - 1, ...about)] ?? choices[0],
    bytes(size, ...about) {
      const parts: Buffer[] = [];
      for (let n = 0; n * 32 < size; n++) parts.push(digest([...about, n]));
      return Buffer.concat(parts).subarray(0, size);
    },
  };
}
