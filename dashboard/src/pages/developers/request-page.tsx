import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import type { RequestDetail } from '../../../../server/src/dashboard/requests/view.ts';
import { useRequest } from '../../api/developers.ts';
import { useMe } from '../../app/session.tsx';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Page } from '../../ui/page.tsx';
import { CodeBlock } from '../../ui/values/code-block.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import { durationWords, pretty } from '../webhooks/delivery-words.ts';
import { HttpStatus } from './http-status.tsx';
import '../lists/lists.css';

/** One request with its response. */
export function RequestPage() {
  const { id = '' } = useParams();
  const request = useRequest(id);
  const { data } = request;
  return (
    <Page
      title="Request"
      back={{ to: '/developers/requests', label: 'Request log' }}
      lead={
        data === undefined ? undefined : (
          <code>
            {data.method} {data.path}
          </code>
        )
      }
    >
      <QueryView query={request}>
        {(found) => (
          <>
            <div className="detail">
              <div className="detail-side">
                <Facts request={found} />
              </div>
              <div className="stack">
                <Body title="Request body" text={found.request_body} none="No body." />
                <Body
                  title="Response body"
                  text={found.response_body}
                  none="Not stored: we do not keep the responses of successful reads."
                />
                <p className="quiet small">
                  We store the first 8 KB of each, without secrets and account details.
                </p>
              </div>
            </div>
          </>
        )}
      </QueryView>
    </Page>
  );
}

function Facts({ request }: { request: RequestDetail }) {
  const { caller, idempotency_key: key, user_agent: agent } = request;
  const items: [string, ReactNode][] = [
    ['Response', <HttpStatus key="status" request={request} />],
    ['By', caller.type === 'api_key' ? `${caller.name} (API key)` : `${caller.name} (dashboard)`],
    ['When', <RealTime key="at" at={request.at} />],
    ['Took', durationWords(request.duration_ms)],
    ['Request ID', <Id key="id" value={request.request_id} />],
  ];
  if (key !== null) items.push(['Idempotency key', <Id key="key" value={key} />]);
  if (agent !== null) items.push(['User agent', agent]);
  return (
    <Card>
      <KeyValue items={items} />
    </Card>
  );
}

function RealTime({ at }: { at: string }) {
  const { mode } = useMe();
  return (
    <>
      <When at={at} clock="real" />
      {mode === 'sandbox' ? <span className="quiet"> (real time, not the sandbox’s)</span> : null}
    </>
  );
}

function Body({ title, text, none }: { title: string; text: string | null; none: string }) {
  return (
    <Card title={title}>
      {text === null || text === '' ? (
        <p className="quiet">{none}</p>
      ) : (
        <CodeBlock code={pretty(text)} label={title} />
      )}
    </Card>
  );
}
