import { findAll, isComment, type Rule, type SourceFile, type Violation } from './files.ts';

interface Word {
  readonly pattern: RegExp;
  readonly instead: string;
}

// Written in parts, so that the rule does not find itself.
const ANYWHERE: readonly Word[] = [
  {
    pattern: new RegExp(
      `\\b(${['TO' + 'DO', 'FIX' + 'ME', 'XX' + 'X', 'HA' + 'CK'].join('|')})\\b`,
      'g',
    ),
    instead: 'do it, or write down the decision',
  },
  {
    pattern: new RegExp(`@ts-${'(ignore|nocheck)'}`, 'g'),
    instead: 'give the value its type',
  },
];

const IN_CODE: readonly Word[] = [
  {
    pattern: /(?<!\bawait )\bimport\(['"]/g,
    instead: 'the structure check does not see it: write `import type`, or `await import`',
  },
];

// In a test it asserts that something is refused.
const OUTSIDE_TESTS: readonly Word[] = [
  { pattern: new RegExp(`@ts-${'expect-error'}`, 'g'), instead: 'give the value its type' },
];

const IN_TESTS: readonly Word[] = [
  { pattern: /\.(skip|only|todo)\(/g, instead: 'a test runs, or goes' },
  { pattern: /\{\s*(skip|only|todo):/g, instead: 'a test runs, or goes' },
];

/** Phrases that no native speaker uses, and their replacements. In parts, like the words above. */
const PHRASES: readonly Word[] = [
  ['by it' + 'self', 'automatically; on its own'],
  ['by them' + 'selves', 'automatically; on their own'],
  ['all the ' + 'same', 'anyway; still'],
  ['a' + 'new', 'again'],
  ['what became' + ' of', 'the outcome of'],
  ['nou' + 'ghts?', 'zero'],
  ['parted' + ' by', 'separated by'],
  ['di' + 'es', 'crashes, exits'],
  ['is wan' + 'ted', 'is needed'],
  ['told' + ' you', 'notified you; webhook sent'],
].map(([phrase, instead = '']) => ({ pattern: new RegExp(`\\b${phrase}\\b`, 'gi'), instead }));

/** Migrations that have run are never changed; nor is the changelog of a release. */
const AS_WRITTEN = /^server\/migrations\/|^CHANGELOG[.]md$/;

function find(path: string, text: string, words: readonly Word[]): Violation[] {
  return words.flatMap(({ pattern, instead }) =>
    findAll(path, text, pattern, (found) => `${found}: ${instead}`),
  );
}

function checkFile(file: SourceFile): Violation[] {
  const { path, text } = file;
  const phrases = /[.](tsx?|mjs|cjs|js|sql|md)$/.test(path) && !AS_WRITTEN.test(path);
  return [...(phrases ? find(path, text, PHRASES) : []), ...checkCode(file)];
}

function checkCode({ path, text }: SourceFile): Violation[] {
  if (!/[.](tsx?|mjs|cjs|js|css|sql)$/.test(path)) return [];
  const code = text
    .split('\n')
    .map((line) => (isComment(line) ? '' : line))
    .join('\n');
  const inCode = path.startsWith('scripts/checks/') ? [] : IN_CODE;
  const inTests = path.endsWith('.test.ts') && !path.startsWith('scripts/checks/') ? IN_TESTS : [];
  const anywhere = path.endsWith('.test.ts') ? ANYWHERE : [...ANYWHERE, ...OUTSIDE_TESTS];
  return [...find(path, text, anywhere), ...find(path, code, [...inCode, ...inTests])];
}

/** Words that promise work for later, silence a check, or are not plain English. */
export const wordsRule: Rule = {
  name: 'words',
  check: (files) => files.flatMap(checkFile),
};
