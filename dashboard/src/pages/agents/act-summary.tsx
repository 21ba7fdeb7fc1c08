import type { PreparedAct } from '@recollect/sdk';
import { Link } from 'react-router';
import { pageOf } from './act-words.ts';

/** What an act does, with a link to what it is about. */
export function ActSummary({ act }: { act: PreparedAct }) {
  const page = pageOf(act);
  return page === null ? act.summary : <Link to={page}>{act.summary}</Link>;
}
