import { Id } from '../../ui/values/id.tsx';

const PAGES: Readonly<Record<string, string>> = {
  pay: '/payments',
  set: '/settlements',
  sch: '/schedules',
  cus: '/customers',
  end: '/webhooks/endpoints',
};

/** The subject of an event, with a link if it has a page. */
export function SubjectLink({ id }: { id: string }) {
  const page = PAGES[id.slice(0, id.indexOf('_'))];
  return page === undefined ? <Id value={id} /> : <Id value={id} to={`${page}/${id}`} />;
}
