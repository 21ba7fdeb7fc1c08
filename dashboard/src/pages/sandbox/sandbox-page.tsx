import { useCan, useMe } from '../../app/session.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { Page } from '../../ui/page.tsx';
import { Accounts } from './accounts.tsx';
import { ClockCard } from './clock-card.tsx';
import { IssuerCard } from './issuer-card.tsx';
import { PlayCustomer } from './play-customer.tsx';
import { ResetSandbox } from './reset-sandbox.tsx';
import './sandbox.css';
import '../lists/lists.css';

/** The levers of the sandbox: its clock, its customers, their accounts, and the reset. */
export function SandboxPage() {
  const { mode } = useMe();
  const mayUse = useCan('use_sandbox');
  if (mode !== 'sandbox')
    return (
      <Page title="Sandbox">
        <Card>
          <Empty title="This is the live service">
            Time and customers are real here. The sandbox is a separate service, with keys that
            begin with rk_test_.
          </Empty>
        </Card>
      </Page>
    );
  return (
    <Page title="Sandbox" lead="Here you control the clock and the customers. No real money moves.">
      {mayUse ? (
        <>
          <ClockCard />
          <PlayCustomer />
          <Accounts />
          <IssuerCard />
          <ResetSandbox />
        </>
      ) : (
        <Card>
          <Empty title="Your role cannot control the sandbox">
            Only owners and developers can. Ask an owner of your team to change your role.
          </Empty>
        </Card>
      )}
    </Page>
  );
}
