import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { ListPage } from '../../pages/lists/list-page.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import type { Column } from '../../ui/data/data-table.tsx';
import { CheckboxField } from '../../ui/fields/checkbox-field.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { SearchField } from '../../ui/fields/search-field.tsx';
import { Menu } from '../../ui/overlays/menu.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { When } from '../../ui/values/when.tsx';
import { type User, useAskReset, useRemoveUser, useUsers } from '../api/users.ts';
import { DecisionDialog, ReasonField } from '../decision-dialog.tsx';
import { For } from '../session.tsx';

interface DialogProps {
  user: User;
  onClose: () => void;
}

const RESETS = {
  reset: {
    way: 'reset',
    title: (name: string) => `Reset the sign-in of ${name}?`,
    text: 'Password, passkeys, sessions and links end. A link goes to their address. The second factor stays.',
  },
  factor: {
    way: 'second_factor/remove',
    title: (name: string) => `Remove the second factor of ${name}?`,
    text: 'Their password stays.',
  },
} as const;

function ResetDialog({ user, what, onClose }: DialogProps & { what: keyof typeof RESETS }) {
  const { way, title, text } = RESETS[what];
  const ask = useAskReset(way);
  return (
    <DecisionDialog
      title={title(user.name)}
      confirmLabel="Ask for it"
      onClose={onClose}
      onDecide={async (reason) => {
        await ask.mutateAsync({ id: user.id, reason });
        toast('A second operator must agree within seven days.', 'success');
      }}
    >
      A second operator has to agree. {text} For 72 hours they have no say in what takes two people.
    </DecisionDialog>
  );
}

function RemoveDialog({ user, onClose }: DialogProps) {
  const remove = useRemoveUser();
  const form = useForm({ defaultValues: { evenLastOwner: false, reason: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title={`Remove ${user.name}?`}
      form={form}
      onSubmit={async ({ evenLastOwner, reason }) => {
        const body = { even_last_owner: evenLastOwner, reason: reason.trim() };
        const { request } = await remove.mutateAsync({ id: user.id, ...body });
        const done =
          request === null ? `${user.name} is removed.` : 'A second operator must agree.';
        toast(done, 'success');
      }}
      confirmLabel={`Remove ${user.name}`}
      tone="danger"
    >
      <p>
        They leave every team, their API keys are revoked, and {user.email} has no account any more.
        For an owner a second operator has to agree.
      </p>
      <CheckboxField
        control={form.control}
        name="evenLastOwner"
        label="Even if a team is left without an owner"
        isRequired={false}
      />
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}

interface Chosen {
  user: User;
  action: keyof typeof RESETS | 'remove';
}

function columns(choose: (chosen: Chosen) => void): Column<User>[] {
  return [
    {
      header: 'User',
      cell: ({ name, email }) => (
        <span className="stacked">
          <strong>{name}</strong>
          <span className="quiet small">{email}</span>
        </span>
      ),
    },
    {
      header: 'Signs in with',
      cell: ({ has_password, passkeys, two_factor }) =>
        [
          has_password ? 'Password' : null,
          two_factor ? 'second factor' : null,
          passkeys > 0 ? 'passkeys' : null,
        ]
          .filter(Boolean)
          .join(', ') || <span className="quiet">Nothing yet</span>,
    },
    { header: 'Teams', cell: ({ teams }) => String(teams.length) },
    {
      header: 'Last seen',
      cell: ({ last_seen_at }) => <When at={last_seen_at} as="relative" clock="real" />,
    },
    {
      header: 'Actions',
      align: 'end',
      cell: (user) => (
        <For may="security">
          <Menu
            label={`Actions for ${user.name}`}
            items={[
              { label: 'Reset…', onAction: () => choose({ user, action: 'reset' }) },
              ...(user.two_factor
                ? [
                    {
                      label: 'Remove second factor…',
                      onAction: () => choose({ user, action: 'factor' }),
                    },
                  ]
                : []),
              {
                label: 'Remove…',
                tone: 'danger',
                onAction: () => choose({ user, action: 'remove' }),
              },
            ]}
          />
        </For>
      ),
    },
  ];
}

/** /users */
export function UsersPage() {
  const url = useUrlFilter(['q']);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const close = () => setChosen(null);
  return (
    <ListPage
      title="Users"
      lead="The people of merchants’ teams."
      filters={
        <SearchField label="Search users" placeholder="Name, email or id" {...url.field('q')} />
      }
      url={url}
      query={useUsers(url.values.q)}
      columns={columns(setChosen)}
      unmatched={{ title: 'No users match' }}
      empty={{ title: 'No users yet' }}
    >
      {chosen === null || chosen.action === 'remove' ? null : (
        <ResetDialog user={chosen.user} what={chosen.action} onClose={close} />
      )}
      {chosen?.action === 'remove' ? <RemoveDialog user={chosen.user} onClose={close} /> : null}
    </ListPage>
  );
}
