import type { Rule } from './files.ts';

const JUNK_DRAWER = /(^|\/)(utils?|helpers?|common|misc)([.][a-z.]+)?(\/|$)/;

/** No junk drawers: a file is named after the noun it is about. */
export const namesRule: Rule = {
  name: 'names',
  check: (files) =>
    files
      .filter(({ path }) => JUNK_DRAWER.test(path))
      .map(({ path }) => ({ path, line: 1, message: 'name the file after what it is about' })),
};
