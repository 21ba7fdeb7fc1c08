import '../frame/settings.css';
import { useState } from 'react';
import { useTeam } from '../../../api/people/team.ts';
import { Can } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { UserPlus } from '../../../ui/icons.tsx';
import { Page } from '../../../ui/page.tsx';
import { ROLE_TEXTS } from '../../../ui/role.ts';
import { SettingsNav } from '../frame/settings-nav.tsx';
import { AccessCard } from './access-card.tsx';
import { InvitationsCard } from './invitations-card.tsx';
import { InviteDialog } from './invite-dialog.tsx';
import { MembersCard } from './members-card.tsx';
import { SsoCard } from './sso-card.tsx';

function Roles() {
  return (
    <Card title="What each role can do">
      <dl className="role-list">
        {Object.values(ROLE_TEXTS).map(({ label, may }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{may}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}

function Team() {
  const team = useTeam();
  return (
    <QueryView query={team}>
      {({ members, invitations }) => (
        <div className="stack">
          <MembersCard members={members} />
          {invitations.length === 0 ? null : <InvitationsCard invitations={invitations} />}
          <AccessCard />
          <SsoCard />
          <Roles />
        </div>
      )}
    </QueryView>
  );
}

/** /settings/team */
export function TeamPage() {
  const [isInviting, setInviting] = useState(false);
  return (
    <Page
      title="Team"
      lead="Who has access to this merchant, and what they can do."
      actions={
        <Can do="manage_team">
          <Button variant="primary" onPress={() => setInviting(true)}>
            <UserPlus aria-hidden="true" />
            Invite a member
          </Button>
        </Can>
      }
    >
      <SettingsNav />
      <Can
        do="manage_team"
        otherwise={
          <>
            <Card>
              <Empty title="Only owners can view the team">
                To add or remove someone, or change a role, ask an owner.
              </Empty>
            </Card>
            <Roles />
          </>
        }
      >
        <Team />
      </Can>
      {isInviting ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </Page>
  );
}
