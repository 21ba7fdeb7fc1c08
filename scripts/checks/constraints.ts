import { findAll, type Rule, type SourceFile, type Violation, withoutComments } from './files.ts';

const SCHEMA = 'server/schema.sql';

/** A name as PostgreSQL makes it up; those of primary keys are as good as any. */
const MADE_UP = /\bCONSTRAINT "?\w+_(check|key|fkey|excl)\d*"?(?= )/g;
const MADE_UP_INDEX = /\bUNIQUE INDEX "?\w+_idx\d*"?(?= )/g;
/** A unique index refuses rows under its own name. */
const NAMED = /\b(?:CONSTRAINT|UNIQUE INDEX) "?(\w+)/g;
/** Where code asks which constraint refused a row. */
const ASKED = /\bviolates\(\s*[\w.]+,\s*'(\w+)'/g;

function unknownNames(schema: string, { path, text }: SourceFile): Violation[] {
  const known = new Set([...schema.matchAll(NAMED)].map(([, name]) => name));
  const code = withoutComments(text);
  return [...code.matchAll(ASKED)]
    .filter(([, name]) => !known.has(name))
    .map((match) => ({
      path,
      line: code.slice(0, match.index).split('\n').length,
      message: `the schema has no constraint “${match[1]}”`,
    }));
}

/** Constraints of the schema have names that say what they want, and code names those that there are. */
export const constraintsRule: Rule = {
  name: 'constraints',
  check(files) {
    const schema = files.find(({ path }) => path === SCHEMA)?.text ?? '';
    const message = (found: string): string =>
      `${found}: name the constraint by what it wants, such as accounts_not_below_zero`;
    const code = files.filter(
      ({ path }) =>
        path.startsWith('server/src/') && path.endsWith('.ts') && !path.endsWith('.test.ts'),
    );
    return [
      ...findAll(SCHEMA, schema, MADE_UP, message),
      ...findAll(SCHEMA, schema, MADE_UP_INDEX, message),
      ...code.flatMap((file) => unknownNames(schema, file)),
    ];
  },
};
