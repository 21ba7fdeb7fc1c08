import { Link, useParams } from 'react-router';
import { PersonalData } from '../../pages/customers/personal-data.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Page } from '../../ui/page.tsx';
import { Id } from '../../ui/values/id.tsx';
import { When } from '../../ui/values/when.tsx';
import {
  type Customer,
  useCustomer,
  useEraseCustomer,
  useExportCustomer,
} from '../api/customers.ts';
import { For } from '../session.tsx';
import { DecisionsLink } from './decisions/decisions-link.tsx';

function CustomerDetails({ customer }: { customer: Customer }) {
  const { id, merchant_id, merchant_name, created_at, erased_at } = customer;
  const take = useExportCustomer(id);
  const erase = useEraseCustomer(id);
  return (
    <Page
      title={`Customer of ${merchant_name}`}
      back={{ to: '/search', label: 'Search' }}
      badge={erased_at === null ? undefined : <Badge tone="neutral">Erased</Badge>}
      actions={<DecisionsLink q={id} />}
    >
      <Card title="Details">
        <KeyValue
          items={[
            ['ID', <Id key="id" value={id} />],
            [
              'Merchant',
              <Link key="merchant" to={`/merchants/${merchant_id}`}>
                {merchant_name}
              </Link>,
            ],
            ['Since', <When key="since" at={created_at} />],
            ...(erased_at === null
              ? []
              : [['Erased', <When key="erased" at={erased_at} />] as const]),
          ]}
        />
      </Card>
      <For may="support">
        <PersonalData
          customerId={id}
          label="this customer"
          isErased={erased_at !== null}
          onExport={take.mutateAsync}
          onErase={erase.mutateAsync}
        />
      </For>
    </Page>
  );
}

/** /customers/:id */
export function CustomerPage() {
  const { id = '' } = useParams();
  const customer = useCustomer(id);
  return <QueryView query={customer}>{(data) => <CustomerDetails customer={data} />}</QueryView>;
}
