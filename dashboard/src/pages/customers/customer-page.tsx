import { type ReactNode, useState } from 'react';
import { useParams } from 'react-router';
import type { CustomerDetail } from '../../../../server/src/dashboard/customers/view.ts';
import { useCustomer, useEraseCustomer, useExportCustomer } from '../../api/customers.ts';
import { useSchedules } from '../../api/schedules.ts';
import { Can } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { KeyValue } from '../../ui/data/key-value.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Page } from '../../ui/page.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { Id } from '../../ui/values/id.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { BulkDialog } from '../attention/bulk-dialog.tsx';
import { countWords } from '../overview/figures.ts';
import { CustomerPayments } from './customer-payments.tsx';
import { CustomerSchedules } from './customer-schedules.tsx';
import { EditCustomer } from './edit-customer.tsx';
import { isErased } from './erased.ts';
import './customers.css';
import { payingAccount } from './paying-account.ts';
import { PersonalData } from './personal-data.tsx';

const CURRENCY = 'GBP';

/** One customer: who they are, their wallet, their schedules and payments. */
export function CustomerPage() {
  const { id = '' } = useParams();
  const customer = useCustomer(id);
  const [isEditing, setEditing] = useState(false);
  return (
    <Page
      title={customer.data?.shown.label ?? 'Customer'}
      back={{ to: '/customers', label: 'Customers' }}
      actions={
        customer.data !== undefined && isErased(customer.data) ? undefined : (
          <Can do="manage_schedules">
            <Button onPress={() => setEditing(true)} isDisabled={customer.data === undefined}>
              Edit customer
            </Button>
            <AskForAccount customerId={id} />
            <LinkButton variant="primary" to={`/schedules/new?customer=${encodeURIComponent(id)}`}>
              New schedule
            </LinkButton>
          </Can>
        )
      }
    >
      <QueryView query={customer}>
        {(found) => (
          <>
            <div className="customer-columns">
              <Figures customer={found} />
              <Facts customer={found} />
            </div>
            <CustomerSchedules customerId={found.id} />
            <CustomerPayments customerId={found.id} />
            <Can do="manage_personal_data">
              <TheirData customer={found} />
            </Can>
            {isEditing ? <EditCustomer customer={found} onClose={() => setEditing(false)} /> : null}
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** Asks the customer to pay for every active schedule from another account. */
function AskForAccount({ customerId }: { customerId: string }) {
  const [isAsking, setAsking] = useState(false);
  const { data = [] } = useSchedules({ customer_id: customerId, status: 'active' });
  if (data.length === 0 && !isAsking) return null;
  const targets = data.map((schedule) => ({ schedule }));
  return (
    <>
      <Button onPress={() => setAsking(true)}>Ask for another account</Button>
      {isAsking ? (
        <BulkDialog
          act="another_account"
          targets={targets}
          value={0}
          currency={CURRENCY}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  );
}

function TheirData({ customer }: { customer: CustomerDetail }) {
  const take = useExportCustomer(customer.id);
  const erase = useEraseCustomer(customer.id);
  return (
    <PersonalData
      customerId={customer.id}
      label={customer.shown.label}
      isErased={isErased(customer)}
      onExport={take.mutateAsync}
      onErase={erase.mutateAsync}
    />
  );
}

function Figures({ customer: { collected, failed, wallet } }: { customer: CustomerDetail }) {
  return (
    <Card title="Money">
      <dl className="customer-figures">
        <div>
          <dt>Collected</dt>
          <dd className="customer-figure">
            <Money amount={{ value: collected.value, currency: CURRENCY }} />
          </dd>
          <dd className="quiet">{countWords(collected.count, 'payment')}</dd>
        </div>
        <div>
          <dt>Failed</dt>
          <dd className="customer-figure">
            <Money amount={{ value: failed.value, currency: CURRENCY }} />
          </dd>
          <dd className="quiet">{countWords(failed.count, 'payment')}</dd>
        </div>
        <div>
          <dt>In their wallet</dt>
          <dd className="customer-figure">
            {wallet === null ? '–' : <Money amount={wallet.balance} />}
          </dd>
          <dd className="quiet">{walletWords(wallet)}</dd>
        </div>
      </dl>
    </Card>
  );
}

function walletWords(wallet: CustomerDetail['wallet']): string {
  if (wallet === null) return 'Opens when they give consent';
  return wallet.balance.value === 0 ? 'Transferred to your wallet' : 'On its way to your wallet';
}

function Facts({ customer }: { customer: CustomerDetail }) {
  const { wallet, email, reference, notes } = customer;
  const items: [string, ReactNode][] = [];
  if (email !== null) items.push(['Email address', email]);
  if (reference !== null) items.push(['Your reference', reference]);
  if (customer.type === 'phone') items.push(['Phone number', customer.value]);
  if (customer.type === 'bank_account')
    items.push(['Sort code', customer.sort_code], ['Account number', customer.account_number]);
  if (!isErased(customer))
    items.push(['Pays from', payingAccount(customer) ?? <NotYet key="account" />]);
  items.push(
    ['Since', <When key="since" at={customer.created_at} as="date" />],
    ['Customer ID', <Id key="id" value={customer.id} />],
  );
  if (wallet !== null)
    items.push(
      ['Wallet', <StatusBadge key="status" status={wallet.status} />],
      ['Wallet ID', <Id key="wallet" value={wallet.id} />],
    );
  return (
    <Card title="Details">
      <KeyValue items={items} />
      {notes === null ? null : (
        <>
          <h3 className="customer-notes-title">Notes</h3>
          <p className="customer-notes">{notes}</p>
        </>
      )}
    </Card>
  );
}

function NotYet() {
  return <span className="quiet">Known once they give consent</span>;
}
