import type { RequestItem } from '../../../../server/src/dashboard/requests/view.ts';
import { useRequests } from '../../api/developers.ts';
import { useCan, useMe } from '../../app/session.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { breakable } from '../../ui/values/breakable.tsx';
import { When } from '../../ui/values/when.tsx';
import { ListPage } from '../lists/list-page.tsx';
import { durationWords } from '../webhooks/delivery-words.ts';
import { DevelopersNav } from './developers-nav.tsx';
import { HttpStatus } from './http-status.tsx';
import { NotForRole } from './not-for-role.tsx';
import { RequestFilters, useRequestFilter } from './request-filters.tsx';

const COLUMNS: readonly Column<RequestItem>[] = [
  {
    header: 'Request',
    cell: ({ method, path }) => (
      <code className="request-line">
        {method} {breakable(path)}
      </code>
    ),
  },
  { header: 'Response', cell: (request) => <HttpStatus request={request} /> },
  { header: 'By', cell: (request) => request.caller.name },
  {
    header: 'Took',
    align: 'end',
    cell: ({ duration_ms: ms }) => <span className="nowrap">{durationWords(ms)}</span>,
  },
  {
    header: 'When',
    cell: ({ at }) => (
      <span className="nowrap">
        <When at={at} clock="real" />
      </span>
    ),
  },
];

/** The requests of the last days, with their responses, for those who may read them. */
export function RequestsPage() {
  if (useCan('read_requests')) return <RequestLog />;
  return (
    <Page title="Request log">
      <DevelopersNav />
      <NotForRole what="the request log" />
    </Page>
  );
}

function RequestLog() {
  const { filter, ...url } = useRequestFilter();
  const { mode, request_log: kept } = useMe();
  return (
    <ListPage
      title="Request log"
      label="Requests"
      nav={<DevelopersNav />}
      filters={<RequestFilters {...url} />}
      url={url}
      query={useRequests(filter)}
      columns={COLUMNS}
      rowPath="/developers/requests"
      unmatched={{ title: 'No requests match', showAll: 'Show all requests' }}
      empty={{
        title: 'No requests yet',
        text: 'Requests made with your API keys appear here, with their responses.',
        action: (
          <LinkButton to="/developers/quickstart" variant="primary">
            Send your first request
          </LinkButton>
        ),
      }}
    >
      <p className="quiet small">
        The last 7 days. {kept === 'changes' ? 'Successful GET requests are not logged. ' : null}
        {mode === 'sandbox' ? 'Times are real time, not the sandbox’s.' : null}
      </p>
    </ListPage>
  );
}
