import type { Rule } from './files.ts';

const MAX_COLUMNS = 130;

/** A line with nothing but one string: a sentence for people is not split. */
const SENTENCE = /^\s*(['`]).*\1[,;)]*$/;

/** TypeScript lines of at most 130 columns: the formatter keeps 100, except in long strings and comments. */
export const widthRule: Rule = {
  name: 'width',
  check: (files) =>
    files
      .filter(({ path }) => /[.]tsx?$/.test(path))
      .flatMap(({ path, text }) =>
        text.split('\n').flatMap((line, index) => {
          const columns = [...line].length;
          if (columns <= MAX_COLUMNS || SENTENCE.test(line)) return [];
          return { path, line: index + 1, message: `${columns} columns, at most ${MAX_COLUMNS}` };
        }),
      ),
};
