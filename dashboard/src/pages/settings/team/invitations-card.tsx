import { useState } from 'react';
import { type Invitation, useWithdrawInvitation } from '../../../api/people/team.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data/data-table.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { roleLabel } from '../../../ui/role.ts';
import { When } from '../../../ui/values/when.tsx';

function columns(onWithdraw: (invitation: Invitation) => void): Column<Invitation>[] {
  return [
    { header: 'Invited', cell: ({ email }) => email },
    { header: 'Role', cell: ({ role }) => roleLabel(role) },
    { header: 'By', cell: ({ invited_by }) => invited_by },
    { header: 'Works until', cell: ({ expires_at }) => <When at={expires_at} /> },
    {
      header: 'Action',
      align: 'end',
      cell: (invitation) => (
        <Button
          size="small"
          aria-label={`Withdraw the invitation for ${invitation.email}`}
          onPress={() => onWithdraw(invitation)}
        >
          Withdraw
        </Button>
      ),
    },
  ];
}

/** Open invitations. */
export function InvitationsCard({ invitations }: { invitations: readonly Invitation[] }) {
  const [chosen, setChosen] = useState<Invitation | null>(null);
  const withdraw = useWithdrawInvitation();
  return (
    <Card title="Open invitations" isFlush>
      <DataTable
        label="Open invitations"
        rows={invitations}
        rowKey={({ id }) => id}
        columns={columns(setChosen)}
      />
      <ConfirmDialog
        isOpen={chosen !== null}
        onClose={() => setChosen(null)}
        title={`Withdraw the invitation for ${chosen?.email}?`}
        confirmLabel="Withdraw invitation"
        cancelLabel="Keep it"
        onConfirm={async () => {
          if (chosen !== null) await withdraw.mutateAsync(chosen.id);
          toast('Invitation withdrawn.', 'success');
        }}
      >
        <p>The link for {chosen?.email} stops working immediately. You can invite them again.</p>
      </ConfirmDialog>
    </Card>
  );
}
