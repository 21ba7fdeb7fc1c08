import { useState } from 'react';
import type { Member } from '../../../api/people/team.ts';
import { type MeView, useMe } from '../../../app/session.tsx';
import { Badge } from '../../../ui/badge.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data/data-table.tsx';
import { Menu } from '../../../ui/overlays/menu.tsx';
import { roleLabel } from '../../../ui/role.ts';
import { When } from '../../../ui/values/when.tsx';
import {
  ChangeRoleDialog,
  KeepOwnerDialog,
  RemoveMemberDialog,
  ResetLinkDialog,
  UnlinkDialog,
} from './member-dialogs.tsx';

type Action = 'keep' | 'role' | 'reset' | 'unlink' | 'remove';
interface Chosen {
  member: Member;
  action: Action;
}

/** Whether this member may take back that an owner leaves: the one who leaves, and the one who asked for it. */
const mayKeep = ({ user }: MeView, { user_id, leaving }: Member): boolean =>
  leaving !== null && (user.id === user_id || user.id === leaving.asked_by);

function columns(me: MeView, hasSso: boolean, choose: (chosen: Chosen) => void): Column<Member>[] {
  return [
    {
      header: 'Member',
      cell: (member) => (
        <span className="person">
          <strong>
            {member.name}
            {member.user_id === me.user.id ? <span className="quiet"> (you)</span> : null}
          </strong>
          <span className="quiet small">{member.email}</span>
        </span>
      ),
    },
    {
      header: 'Role',
      cell: ({ role, leaving }) =>
        leaving === null ? (
          roleLabel(role)
        ) : (
          <span className="person">
            <span>{roleLabel(role)}</span>
            <span className="quiet small">
              {leaving.role === null ? 'Leaves the team' : `Becomes ${roleLabel(leaving.role)}`} on{' '}
              <When at={leaving.at} />
            </span>
          </span>
        ),
    },
    {
      header: 'Two-factor',
      cell: ({ two_factor }) =>
        two_factor ? <Badge tone="success">On</Badge> : <Badge tone="neutral">Off</Badge>,
    },
    ...(hasSso
      ? [
          {
            header: 'Single sign-on',
            cell: ({ uses_sso }: Member) => (uses_sso ? 'Used' : 'Not yet'),
          },
        ]
      : []),
    {
      header: 'Last seen',
      cell: ({ last_seen_at }) => <When at={last_seen_at} as="relative" clock="real" />,
    },
    {
      header: 'Actions',
      align: 'end',
      cell: (member) => (
        <Menu
          label={`Actions for ${member.name}`}
          items={[
            ...(mayKeep(me, member)
              ? [{ label: 'Keep as owner…', onAction: () => choose({ member, action: 'keep' }) }]
              : []),
            { label: 'Change role…', onAction: () => choose({ member, action: 'role' }) },
            {
              label: 'Create password reset link…',
              onAction: () => choose({ member, action: 'reset' }),
            },
            ...(member.uses_sso
              ? [
                  {
                    label: 'Unlink single sign-on…',
                    onAction: () => choose({ member, action: 'unlink' }),
                  },
                ]
              : []),
            {
              label: member.user_id === me.user.id ? 'Leave the team…' : 'Remove from the team…',
              tone: 'danger',
              onAction: () => choose({ member, action: 'remove' }),
            },
          ]}
        />
      ),
    },
  ];
}

/** The members, and an owner's actions for each. */
export function MembersCard({ members }: { members: readonly Member[] }) {
  const me = useMe();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = () => setChosen(null);
  return (
    <Card title="Members" isFlush>
      <DataTable
        label="Team members"
        rows={members}
        rowKey={({ user_id }) => user_id}
        columns={columns(
          me,
          members.some(({ uses_sso }) => uses_sso),
          setChosen,
        )}
      />
      {chosen?.action === 'keep' ? (
        <KeepOwnerDialog member={chosen.member} onClose={close} />
      ) : null}
      {chosen?.action === 'role' ? (
        <ChangeRoleDialog member={chosen.member} onClose={close} />
      ) : null}
      {chosen?.action === 'reset' ? (
        <ResetLinkDialog member={chosen.member} onClose={close} />
      ) : null}
      {chosen?.action === 'unlink' ? <UnlinkDialog member={chosen.member} onClose={close} /> : null}
      {chosen?.action === 'remove' ? (
        <RemoveMemberDialog member={chosen.member} onClose={close} />
      ) : null}
    </Card>
  );
}
