import type { RequestItem } from '../../../../server/src/dashboard/requests/view.ts';
import { useRequests } from '../../api/developers.ts';
import { useCan, useMe } from '../../app/session.tsx';
import { breakable } from '../../ui/breakable.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { When } from '../../ui/when.tsx';
import { durationWords } from '../webhooks/delivery-words.ts';
import { DevelopersNav } from './developers-nav.tsx';
import { HttpStatus } from './http-status.tsx';
import { NotForRole } from './not-for-role.tsx';
import { RequestFilters, useRequestFilter } from './request-filters.tsx';

/** The requests of the last days, with their responses. */
export function RequestsPage() {
  return (
    <Page title="Request log">
      <DevelopersNav />
      {useCan('read_requests') ? <RequestLog /> : <NotForRole what="the request log" />}
    </Page>
  );
}

function RequestLog() {
  const { filter, ...url } = useRequestFilter();
  const requests = useRequests(filter);
  const { mode, request_log: kept } = useMe();
  return (
    <>
      <RequestFilters {...url} />
      <Card isFlush>
        <QueryView query={requests}>
          {(rows) =>
            rows.length === 0 ? (
              <NothingFound isNarrowed={url.isNarrowed} onClear={url.clear} />
            ) : (
              <>
                <RequestsTable rows={rows} />
                <LoadMore query={requests} />
              </>
            )
          }
        </QueryView>
      </Card>
      <p className="quiet small">
        The last 7 days. {kept === 'changes' ? 'Successful GET requests are not logged. ' : null}
        {mode === 'sandbox' ? 'Times are real time, not the sandbox’s.' : null}
      </p>
    </>
  );
}

function NothingFound({ isNarrowed, onClear }: { isNarrowed: boolean; onClear: () => void }) {
  if (isNarrowed)
    return (
      <Empty
        title="No requests match"
        action={
          <Button variant="secondary" onPress={onClear}>
            Show all requests
          </Button>
        }
      />
    );
  return (
    <Empty
      title="No requests yet"
      action={
        <LinkButton to="/developers/quickstart" variant="primary">
          Send your first request
        </LinkButton>
      }
    >
      Requests made with your API keys appear here, with their responses.
    </Empty>
  );
}

function RequestsTable({ rows }: { rows: RequestItem[] }) {
  return (
    <DataTable<RequestItem>
      label="Requests"
      rows={rows}
      rowKey={(request) => request.id}
      rowHref={(request) => `/developers/requests/${request.id}`}
      columns={[
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
      ]}
    />
  );
}
