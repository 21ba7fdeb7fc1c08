import type { PreparedAct } from '@recollect/sdk';
import { useState } from 'react';
import { useActs, useDecideAct } from '../../api/developers.ts';
import { useCan } from '../../app/session.tsx';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { ConfirmDialog } from '../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { ActSummary } from './act-summary.tsx';
import { agentOf } from './act-words.ts';

type Decision = { act: PreparedAct; how: 'approve' | 'decline' };

/** What agents committed beyond the limits of their keys, and a member decides. */
export function WaitingCard() {
  const [decision, setDecision] = useState<Decision | null>(null);
  const mayDecide = useCan('manage_schedules');
  const query = useActs({ status: 'waiting_for_approval' });
  const waiting = query.data?.filter(({ status }) => status === 'waiting_for_approval');
  const columns: Column<PreparedAct>[] = [
    { header: 'What will happen', cell: (act) => <ActSummary act={act} /> },
    { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
    { header: 'Agent', cell: (act) => agentOf(act) },
    { header: 'Until', cell: ({ expires_at: at }) => <When at={at} as="datetime" /> },
  ];
  const actions: Column<PreparedAct> = {
    header: 'Decide',
    align: 'end',
    cell: (act) => (
      <span className="row row-end">
        <Button
          size="small"
          variant="primary"
          aria-label={`Approve: ${act.summary}`}
          onPress={() => setDecision({ act, how: 'approve' })}
        >
          Approve
        </Button>
        <Button
          size="small"
          aria-label={`Decline: ${act.summary}`}
          onPress={() => setDecision({ act, how: 'decline' })}
        >
          Decline
        </Button>
      </span>
    ),
  };
  return (
    <ListCard<PreparedAct>
      title="Waiting for approval"
      lead="Beyond the limits of a key, an agent’s act waits for one of you. Approving does it at once; declining is final."
      lines={1}
      query={{ ...query, data: waiting }}
      columns={mayDecide ? [...columns, actions] : columns}
      empty={<p className="card-lead nothing-waits">Nothing waits for you.</p>}
    >
      {decision === null ? null : <Decide {...decision} onClose={() => setDecision(null)} />}
    </ListCard>
  );
}

function Decide({ act, how, onClose }: Decision & { onClose: () => void }) {
  const decide = useDecideAct(act.id);
  const isApproval = how === 'approve';
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={isApproval ? 'Approve and do it now?' : 'Decline for good?'}
      confirmLabel={isApproval ? 'Approve' : 'Decline'}
      tone={isApproval ? 'primary' : 'danger'}
      onConfirm={async () => {
        await decide.mutateAsync(how);
        toast(isApproval ? 'Approved and done.' : 'Declined.', 'success');
      }}
    >
      <p>{act.summary}</p>
      <p>
        {agentOf(act)} asks for it.{' '}
        {act.asks.includes('customer') ? 'The customer has to agree too. ' : ''}
        {isApproval
          ? 'It is refused if anything it is about has changed since.'
          : 'The agent learns that it was declined.'}
      </p>
    </ConfirmDialog>
  );
}
