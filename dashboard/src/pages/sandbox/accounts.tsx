import type { SandboxAccount, SandboxBank } from '@recollect/sdk';
import { useState } from 'react';
import { useAccounts } from '../../api/sandbox.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { DataTable } from '../../ui/data/data-table.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { formatMoney, Money } from '../../ui/values/money.tsx';
import { behaviourLabel } from './behaviours.ts';
import { ChangeAccount } from './change-account.tsx';
import { ChangeBank } from './change-bank.tsx';

const CURRENCY = 'GBP';

/** The accounts at the sandbox's banks, with their behaviour and a way to change it. */
export function Accounts() {
  const banks = useAccounts();
  return (
    <Card
      title="Accounts at the banks"
      lead="Each customer has an account at every bank. Log in with the customer’s name and the PIN 1234."
    >
      <QueryView query={banks}>{(found) => <Banks banks={found} />}</QueryView>
    </Card>
  );
}

function Banks({ banks }: { banks: SandboxBank[] }) {
  const [chosen, setChosen] = useState(banks[0]?.bank_id);
  const [changing, setChanging] = useState<SandboxAccount | null>(null);
  const [isBankChanging, setBankChanging] = useState(false);
  const bank = banks.find((one) => one.bank_id === chosen);
  if (bank === undefined) return <p>This sandbox has no banks.</p>;
  return (
    <div className="stack">
      <fieldset className="row" aria-label="Bank">
        {banks.map((one) => (
          <Button
            key={one.bank_id}
            variant={one.bank_id === chosen ? 'primary' : 'secondary'}
            aria-pressed={one.bank_id === chosen}
            onPress={() => setChosen(one.bank_id)}
          >
            {one.name}
          </Button>
        ))}
      </fieldset>
      <p className="row">
        <span>{bank.summary}.</span>
        <LinkButton href={bank.app_url} isNewTab variant="ghost">
          Open the bank’s app
        </LinkButton>
        <Button variant="ghost" onPress={() => setBankChanging(true)}>
          Edit bank
        </Button>
      </p>
      {bank.behaviours.length === 0 ? null : (
        <p className="quiet">
          For every account here: {bank.behaviours.map(behaviourLabel).join(', ')}.
        </p>
      )}
      <div className="framed">
        <AccountsTable bank={bank} onChange={setChanging} />
      </div>
      {isBankChanging ? <ChangeBank bank={bank} onClose={() => setBankChanging(false)} /> : null}
      {changing === null ? null : (
        <ChangeAccount bank={bank} account={changing} onClose={() => setChanging(null)} />
      )}
    </div>
  );
}

interface TableProps {
  bank: SandboxBank;
  onChange: (account: SandboxAccount) => void;
}

function AccountsTable({ bank, onChange }: TableProps) {
  return (
    <DataTable<SandboxAccount>
      label={`Accounts at ${bank.name}`}
      rows={bank.accounts}
      rowKey={(account) => account.account_number}
      columns={[
        { header: 'Customer', cell: customerCell },
        { header: 'Account', cell: accountCell },
        {
          header: 'Behaviour',
          cell: ({ behaviour, summary }) => (
            <span className="stacked">
              {behaviourLabel(behaviour)}
              <span className="quiet">{summary}.</span>
            </span>
          ),
        },
        {
          header: 'Balance',
          align: 'end',
          cell: ({ balance }) => <Money amount={{ value: balance, currency: CURRENCY }} />,
        },
        {
          header: 'Change',
          align: 'end',
          cell: (account) => (
            <Button
              size="small"
              aria-label={`Change ${account.account}’s ${account.nickname.toLowerCase()}`}
              onPress={() => onChange(account)}
            >
              Change
            </Button>
          ),
        },
      ]}
    />
  );
}

function customerCell({ account, holder }: SandboxAccount) {
  return (
    <span className="stacked">
      <code>{account}</code>
      <span className="quiet">{holder}</span>
    </span>
  );
}

function accountCell({
  nickname,
  sort_code: sortCode,
  account_number: number,
  payday,
}: SandboxAccount) {
  const paid = payday === null ? null : formatMoney({ value: payday.amount, currency: CURRENCY });
  return (
    <span className="stacked">
      {nickname}
      <span className="quiet">
        {sortCode.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3')} {number}
      </span>
      {payday === null ? null : (
        <span className="quiet">
          Gets {paid} on day {payday.day}
        </span>
      )}
    </span>
  );
}
