import type { TLocalizedValidationError } from 'typebox/error';

type Problem = TLocalizedValidationError;

/** Converts a JSON pointer: `/customer/sort_code` → `customer.sort_code`; the root has no path. */
function dotted(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
}

function below(path: string, field: string): string {
  return path === '' ? field : `${path}.${field}`;
}

const list = (words: readonly unknown[]): string => words.map(String).join(', ');

function article(type: string): string {
  return type === 'null' ? 'null' : /^[aeio]/.test(type) ? `an ${type}` : `a ${type}`;
}

/** Describes one problem of a field, where the library's wording is not suited to a merchant. */
function sentence(problem: Problem): string {
  switch (problem.keyword) {
    case 'type':
      return `must be ${[problem.params.type].flat().map(article).join(' or ')}`;
    case 'minimum':
      return `must be ${problem.params.limit} or more`;
    case 'maximum':
      return `must be ${problem.params.limit} or less`;
    case 'exclusiveMinimum':
      return `must be more than ${problem.params.limit}`;
    case 'minLength':
      return problem.params.limit === 1
        ? 'must not be empty'
        : `must have at least ${problem.params.limit} characters`;
    case 'maxLength':
      return `must have at most ${problem.params.limit} characters`;
    case 'minItems':
      return `must have at least ${problem.params.limit} entries`;
    case 'maxItems':
      return `must have at most ${problem.params.limit} entries`;
    case 'enum':
      return `must be one of ${list(problem.params.allowedValues)}`;
    case 'const':
      return `must be ${String(problem.params.allowedValue)}`;
    case 'pattern':
      if (problem.params.pattern === '\\S') return 'must not be empty'; // blanks alone
      return `must match ${String(problem.params.pattern)}`;
    default:
      return problem.message;
  }
}

/** Groups a union's problems by branch, keyed by the branch's place in the schema. */
function branchesOf(problems: readonly Problem[], union: string): Map<string, Problem[]> {
  const branches = new Map<string, Problem[]>();
  for (const problem of problems) {
    const [branch = ''] = problem.schemaPath.slice(union.length).split('/');
    branches.set(branch, [...(branches.get(branch) ?? []), problem]);
  }
  return branches;
}

const OTHER_TYPE = 10_000;
const OTHER_WORD = 100;

/**
 * Measures how far a branch is from the value sent: a different type is furthest, then a different constant, then each wrong
 * field.
 */
function distance(branch: readonly Problem[], at: string): number {
  let sum = branch.length;
  for (const problem of branch) {
    if (problem.keyword === 'type' && problem.instancePath === at) sum += OTHER_TYPE;
    if (problem.keyword === 'const' || problem.keyword === 'enum') sum += OTHER_WORD;
  }
  return sum;
}

/** "Must be a string or an object": if no branch fits, only the types matter. */
function anyOfTypes(problems: readonly Problem[], at: string): Problem[] {
  const here = problems.flatMap((p) => (p.keyword === 'type' && p.instancePath === at ? [p] : []));
  const [first] = here;
  if (first === undefined) return [];
  const type = [...new Set(here.flatMap((p) => p.params.type))];
  return [{ ...first, params: { type } }];
}

/** Keeps the problems of the branch that the sender most likely meant; of branches that differ equally in a constant, all. */
function nearest(problems: readonly Problem[], union: string): Problem[] {
  const at = problems.reduce(
    (shortest, p) => (p.instancePath.length < shortest.length ? p.instancePath : shortest),
    problems[0]?.instancePath ?? '',
  );
  const branches = [...branchesOf(problems, union).values()];
  const distances = branches.map((branch) => distance(branch, at));
  const least = Math.min(...distances);
  if (least >= OTHER_TYPE) return anyOfTypes(problems, at);
  const best = branches.filter((_, i) => distances[i] === least);
  return least < OTHER_WORD ? [...(best[0] ?? [])] : best.flat();
}

/** Resolves unions, the outermost first, one per round. */
function withoutUnions(problems: readonly Problem[]): Problem[] {
  let rest = problems.filter(({ keyword }) => keyword !== 'anyOf');
  const resolved = new Set<string>();
  for (let round = 0; round < problems.length; round++) {
    const unions = rest.flatMap(({ schemaPath }) =>
      [...schemaPath.matchAll(/\/anyOf\//g)].map((m) => schemaPath.slice(0, m.index + m[0].length)),
    );
    const union = unions.sort((a, b) => a.length - b.length).find((path) => !resolved.has(path));
    if (union === undefined) break;
    resolved.add(union);
    const inside = rest.filter(({ schemaPath }) => schemaPath.startsWith(union));
    rest = [...rest.filter((problem) => !inside.includes(problem)), ...nearest(inside, union)];
  }
  return rest;
}

/** Merges two sentences about one field: "must be a, or must be b" reads worse than "must be one of a, b". */
function joined(before: string | undefined, sentenceNow: string): string {
  if (before === undefined || before === sentenceNow) return sentenceNow;
  const words = /^must be (?:one of )?(.+)$/.exec(before)?.[1];
  const word = /^must be (?:one of )?(.+)$/.exec(sentenceNow)?.[1];
  if (words === undefined || word === undefined) return before;
  return `must be one of ${words}, ${word}`;
}

const UNKNOWN = 'is not a field of this request';

/** Returns the fields that a problem is about, with what is wrong with each. */
function fieldsOf(problem: Problem, whole: string): [string, string][] {
  const path = dotted(problem.instancePath);
  switch (problem.keyword) {
    case 'required':
      return problem.params.requiredProperties.map((field) => [below(path, field), 'is required']);
    case 'additionalProperties':
      return problem.params.additionalProperties.map((field) => [below(path, field), UNKNOWN]);
    case 'boolean':
      // The library reports each unknown field on its own, before the list of them, which it may not come to.
      return problem.schemaPath.endsWith('/additionalProperties') ? [[path, UNKNOWN]] : [];
    default:
      return [[path === '' ? whole : path, sentence(problem)]];
  }
}

/** Returns the wrong fields of a value that its schema refuses, from the library's problems: at least one. */
export function explain(problems: readonly Problem[], whole: string): Record<string, string> {
  // No prototype: a field may be called `__proto__`.
  const details: Record<string, string> = Object.create(null);
  for (const problem of withoutUnions(problems))
    for (const [field, wrong] of fieldsOf(problem, whole))
      details[field] = joined(details[field], wrong);
  if (Object.keys(details).length === 0) details[whole] = 'is not valid';
  return { ...details };
}
