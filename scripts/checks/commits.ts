import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface Commit {
  readonly id: string;
  readonly subject: string;
  readonly body: string;
}

/** The commits to check; `skipped` gives the reason if there are none. */
export interface Commits {
  readonly commits: readonly Commit[];
  readonly skipped?: string;
}

/** The last commit before subjects were checked: it and its ancestors are exempt. */
const LAST_UNCHECKED = 'c2a6cc91a0a9fbac207c581222d7ef289fc816a6';

const LONGEST = 72;

/** First words that do not look like an imperative but are one. */
const IMPERATIVES = /^(embed|feed|need|seed|shed|speed|bring|ping|ring|string|\w+ss|bias|focus)$/i;

/** First words that begin a statement rather than an imperative. */
const NO_VERB =
  /^(a|an|the|this|that|these|it|its|all|each|every|no|not|some|what|when|where|who|how|why|one|two|three|more|new|wip)$/i;

const FORMS: ReadonlyArray<readonly [RegExp, string]> = [
  [/ed$/i, 'is in the past tense'],
  [/ing$/i, 'is a participle'],
  [/s$/i, 'is a plural or in the third person'],
  [NO_VERB, 'is no verb'],
];

/** Returns what is wrong with a commit's message by the style of this project; empty if it is fine. */
export function messageProblems({ subject, body }: Omit<Commit, 'id'>): string[] {
  const problems: string[] = [];
  if (subject.length > LONGEST)
    problems.push(`the subject has ${subject.length} characters, at most ${LONGEST} are allowed`);
  if (/[.!?…;:,]$/.test(subject)) problems.push('the subject ends with a punctuation mark');
  if (!/^[A-Z]/.test(subject)) problems.push('the subject begins with no capital letter');
  const [first = ''] = subject.split(/[\s,]/, 1);
  if (/^\w+(\(.*\))?!?:/.test(subject))
    problems.push('the subject begins with a label, not a verb');
  const form = IMPERATIVES.test(first) ? undefined : FORMS.find(([form]) => form.test(first));
  if (form !== undefined)
    problems.push(`the subject is not an imperative: “${first}” ${form[1]} (“Add …”, “Refuse …”)`);
  if (body.trim() === '') problems.push('the body does not say why');
  return problems;
}

const run = promisify(execFile);

/** Returns the environment for git: messages in English, and no variable by which a hook redirects it to another repository. */
export const gitEnvironment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'))),
  LC_ALL: 'C',
});

/**
 * Reads the commits of `root` since `base`, without merges. A shallow clone that does not reach back to `base` returns all it
 * has. Without git, without a repository of its own (an unpacked archive), or in a history without `base`, nothing is checked.
 */
export async function newCommits(root: string, base = LAST_UNCHECKED): Promise<Commits> {
  const options = { env: gitEnvironment(), maxBuffer: 64 * 1024 * 1024 };
  const git = async (...args: readonly string[]): Promise<string> =>
    (await run('git', ['-C', root, ...args], options)).stdout;
  const skip = (skipped: string): Commits => ({ commits: [], skipped });
  try {
    if ((await git('rev-parse', '--show-prefix')).trim() !== '')
      return skip('this folder is no git repository of its own');
  } catch (error) {
    return skip(
      error instanceof Error && 'code' in error && error.code === 'ENOENT'
        ? 'git is not installed'
        : `git cannot read a repository here: ${String((error as { stderr?: string }).stderr).trim()}`,
    );
  }
  const shallow = (await git('rev-parse', '--is-shallow-repository')).trim() === 'true';
  const known = await git('merge-base', '--is-ancestor', base, 'HEAD').then(
    () => true,
    () => false,
  );
  if (!known && !shallow) return skip(`this history does not hold ${base.slice(0, 7)}`);
  const range = known ? [`${base}..HEAD`] : ['HEAD'];
  const log = await git('log', '--no-merges', '-z', '--format=%h%n%s%n%b', ...range);
  return { commits: log.split('\0').filter(Boolean).map(parse) };
}

function parse(text: string): Commit {
  const [id = '', subject = '', ...body] = text.split('\n');
  return { id, subject, body: body.join('\n') };
}
