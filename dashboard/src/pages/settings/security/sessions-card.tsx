import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import {
  endOtherSessions,
  endSession,
  listSessions,
  type OpenSession,
} from '../../../api/people/sign-in.ts';
import { Badge } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { ConfirmDialog } from '../../../ui/overlays/confirm-dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { When } from '../../../ui/values/when.tsx';
import { describeBrowser } from './user-agent.ts';

function SessionLine({ session }: { session: OpenSession }) {
  const end = useMutation({ mutationFn: () => endSession(session.token) });
  const name = describeBrowser(session.userAgent);
  return (
    <li>
      <span className="line-text">
        <span className="line-title">
          {name}
          {session.isThisOne ? <Badge tone="success">This session</Badge> : null}
        </span>
        <span className="quiet small">
          {session.address === null || session.address === '' ? '' : `${session.address} · `}
          Signed in <When at={session.startedAt} />, last used{' '}
          <When at={session.usedAt} as="relative" clock="real" />
        </span>
      </span>
      {session.isThisOne ? null : (
        <Button
          size="small"
          isPending={end.isPending}
          aria-label={`Sign out ${name}`}
          onPress={() =>
            end.mutate(undefined, {
              onSuccess: () => toast('Session signed out.', 'success'),
              onError: () => toast('Could not sign out that session. Try again.', 'danger'),
            })
          }
        >
          Sign out
        </Button>
      )}
    </li>
  );
}

/** Where the member is signed in. */
export function SessionsCard() {
  const sessions = useQuery({ queryKey: ['security', 'sessions'], queryFn: listSessions });
  const [isAsking, setAsking] = useState(false);
  const endOthers = useMutation({ mutationFn: endOtherSessions });
  const others = (sessions.data ?? []).filter(({ isThisOne }) => !isThisOne).length;
  return (
    <Card
      title="Where you are signed in"
      actions={
        others === 0 ? undefined : (
          <Button size="small" onPress={() => setAsking(true)}>
            Sign out everywhere else…
          </Button>
        )
      }
    >
      <QueryView query={sessions}>
        {(data) => (
          <ul className="lines">
            {data.map((session) => (
              <SessionLine key={session.token} session={session} />
            ))}
          </ul>
        )}
      </QueryView>
      <ConfirmDialog
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        title="Sign out everywhere else?"
        confirmLabel="Sign out everywhere else"
        onConfirm={async () => {
          await endOthers.mutateAsync();
          toast('You are now signed in only here.', 'success');
        }}
      >
        <p>
          {others === 1 ? 'The other session ends' : `The ${others} other sessions end`}{' '}
          immediately. This browser stays signed in.
        </p>
      </ConfirmDialog>
    </Card>
  );
}
