import { randomInt } from 'node:crypto';

const MAX = 2 ** 31 - 1;

/** The number by which rows name the process that has claimed them: random, so that none is given out twice in practice. */
export const THIS_PROCESS = randomInt(1, MAX);
