import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { Filters } from '../../pages/lists/filters.tsx';
import { useUrlFilter } from '../../pages/lists/url-filter.ts';
import { SecretLink } from '../../pages/settings/secret-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { CheckboxField } from '../../ui/checkbox-field.tsx';
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LoadMore } from '../../ui/load-more.tsx';
import { Menu } from '../../ui/menu.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { toast } from '../../ui/toast.tsx';
import { When } from '../../ui/when.tsx';
import { type Reset, type User, useRemoveUser, useResetUser, useUsers } from '../api/users.ts';

interface DialogProps {
  user: User;
  onClose: () => void;
}

function LinkDialog({ user, link, onClose }: DialogProps & { link: Reset }) {
  return (
    <Dialog isOpen onClose={onClose} title="The account is reset">
      <p>
        Hand this link to <strong>{user.email}</strong>.
      </p>
      <SecretLink url={link.url} expiresAt={link.expires_at} />
      <DialogActions>
        <Button variant="primary" onPress={onClose}>
          Done
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function ResetDialog({ user, onClose, onReset }: DialogProps & { onReset: (link: Reset) => void }) {
  const reset = useResetUser();
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Reset the account of ${user.name}?`}
      confirmLabel="Reset"
      onConfirm={async () => onReset(await reset.mutateAsync(user.id))}
    >
      <p>
        Password, passkeys, second factor, sessions and links stop working. You get a link to a new
        password. Be sure who you hand it to.
      </p>
    </ConfirmDialog>
  );
}

function RemoveDialog({ user, onClose }: DialogProps) {
  const remove = useRemoveUser();
  const form = useForm({ defaultValues: { evenLastOwner: false } });
  return (
    <ConfirmDialog
      isOpen
      onClose={onClose}
      title={`Remove ${user.name}?`}
      confirmLabel="Remove"
      onConfirm={async () => {
        const { evenLastOwner } = form.getValues();
        await remove.mutateAsync({ id: user.id, evenLastOwner });
        toast(`${user.name} is removed.`, 'success');
      }}
    >
      <p>
        They leave every team, their API keys are revoked, and {user.email} has no account any more.
      </p>
      <CheckboxField
        control={form.control}
        name="evenLastOwner"
        label="Even if a team is left without an owner"
        isRequired={false}
      />
    </ConfirmDialog>
  );
}

interface Chosen {
  user: User;
  action: 'reset' | 'remove';
}

function Table({ rows, choose }: { rows: readonly User[]; choose: (chosen: Chosen) => void }) {
  return (
    <DataTable<User>
      label="Users"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
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
            <Menu
              label={`Actions for ${user.name}`}
              items={[
                { label: 'Reset…', onAction: () => choose({ user, action: 'reset' }) },
                {
                  label: 'Remove…',
                  tone: 'danger',
                  onAction: () => choose({ user, action: 'remove' }),
                },
              ]}
            />
          ),
        },
      ]}
    />
  );
}

/** /users */
export function UsersPage() {
  const { values, set, clear, isNarrowed } = useUrlFilter(['q']);
  const users = useUsers(values.q);
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const [done, setDone] = useState<{ user: User; link: Reset } | null>(null);
  const close = () => setChosen(null);
  return (
    <Page title="Users" lead="The people of merchants’ teams.">
      <Filters isNarrowed={isNarrowed} onClear={clear}>
        <SearchField
          label="Search users"
          placeholder="Name, email or id"
          value={values.q}
          onChange={(text) => set('q', text)}
        />
      </Filters>
      <QueryView query={users}>
        {({ data }) =>
          data.length === 0 ? (
            <Card>
              <Empty title={isNarrowed ? 'No users match' : 'No users yet'} />
            </Card>
          ) : (
            <Card isFlush>
              <Table rows={data} choose={setChosen} />
              <LoadMore query={users} />
            </Card>
          )
        }
      </QueryView>
      {chosen?.action === 'reset' ? (
        <ResetDialog
          user={chosen.user}
          onClose={close}
          onReset={(link) => setDone({ user: chosen.user, link })}
        />
      ) : null}
      {done === null ? null : <LinkDialog {...done} onClose={() => setDone(null)} />}
      {chosen?.action === 'remove' ? <RemoveDialog user={chosen.user} onClose={close} /> : null}
    </Page>
  );
}
