import type { ApiKey } from '@recollect/sdk';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { formatMoney } from '../../ui/values/money.tsx';
import { useNow } from '../../ui/values/time-zone.tsx';
import { When } from '../../ui/values/when.tsx';
import { placeholderKey } from './snippets.ts';
import '../lists/lists.css';

type OnKeyAction = (what: 'addresses' | 'rotate' | 'revoke', key: ApiKey) => void;

/** The columns of the keys: what distinguishes them, and their actions. */
export function keyColumns(mode: 'sandbox' | 'live', onWish: OnKeyAction): Column<ApiKey>[] {
  return [
    {
      header: 'Key',
      cell: (key) => (
        <span className="stacked">
          <strong>{key.name}</strong>
          <code className="nowrap">{placeholderKey(mode, key.hint)}</code>
        </span>
      ),
    },
    {
      header: 'Permissions',
      cell: ({ scopes, limits }) => (
        <span className="stacked small">
          <span>{scopes.join(', ')}</span>
          {limits === null ? null : (
            <span className="quiet">
              up to {formatMoney({ value: limits.per_day_pence, currency: 'GBP' })} a day on its own
            </span>
          )}
        </span>
      ),
    },
    { header: 'Used from', cell: (key) => <UsedFrom apiKey={key} /> },
    { header: 'State', cell: (key) => <KeyState apiKey={key} /> },
    {
      header: 'Last used',
      cell: ({ last_used_at: at, created_at: created }) => (
        <span className="stacked">
          <span className="nowrap">{at === null ? 'never' : <When at={at} as="datetime" />}</span>
          <span className="quiet small nowrap">
            created <When at={created} as="date" />
          </span>
        </span>
      ),
    },
    {
      header: 'Actions',
      align: 'end',
      cell: (key) => <KeyActions apiKey={key} onWish={onWish} />,
    },
  ];
}

function UsedFrom({ apiKey: { allowed_ips: ranges, last_refused: refused } }: { apiKey: ApiKey }) {
  return (
    <span className="stacked small">
      {ranges === null
        ? 'Anywhere'
        : ranges.map((range) => (
            <span key={range} className="nowrap">
              {range}
            </span>
          ))}
      {refused === null ? null : (
        <>
          <Badge tone="danger">Refused</Badge>
          <span className="quiet">from {refused.address}</span>
          <span className="quiet">
            <When at={refused.at} as="datetime" />
          </span>
        </>
      )}
    </span>
  );
}

function KeyState({ apiKey: { revoked_at: revoked, expires_at: expires } }: { apiKey: ApiKey }) {
  const now = useNow();
  if (revoked !== null)
    return (
      <span className="stacked">
        <Badge tone="danger">Revoked</Badge>
        <span className="quiet">
          <When at={revoked} as="datetime" />
        </span>
      </span>
    );
  const isOver = expires !== null && Date.parse(expires) <= now;
  if (expires !== null)
    return (
      <span className="stacked">
        <Badge tone={isOver ? 'neutral' : 'warning'}>{isOver ? 'Expired' : 'Replaced'}</Badge>
        <span className="quiet">
          {isOver ? 'Worked until' : 'Works until'} <When at={expires} as="datetime" />
        </span>
      </span>
    );
  return <Badge tone="success">Active</Badge>;
}

function KeyActions({ apiKey, onWish }: { apiKey: ApiKey; onWish: OnKeyAction }) {
  if (apiKey.revoked_at !== null) return <span className="quiet">–</span>;
  return (
    <span className="row row-end">
      <Button size="small" variant="ghost" onPress={() => onWish('addresses', apiKey)}>
        Addresses
      </Button>
      {apiKey.expires_at === null ? (
        <Button size="small" onPress={() => onWish('rotate', apiKey)}>
          Rotate
        </Button>
      ) : null}
      <Button size="small" variant="ghost" onPress={() => onWish('revoke', apiKey)}>
        Revoke
      </Button>
    </span>
  );
}
