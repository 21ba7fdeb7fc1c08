import { useSearchParams } from 'react-router';
import { Notice } from '../../ui/notice.tsx';

/** What the service writes into the address of a sign-in page, by its name there: a title, and what to do. */
export type Problems = Readonly<Record<string, readonly [string, string]>>;

/** Explains the problem in the address of the page; shows nothing where there is none. */
export function ProblemNotice({ problems }: { problems: Problems }) {
  const [search] = useSearchParams();
  const problem = problems[search.get('problem') ?? ''];
  if (problem === undefined) return null;
  const [title, text] = problem;
  return (
    <Notice tone="warning" title={title}>
      {text}
    </Notice>
  );
}
