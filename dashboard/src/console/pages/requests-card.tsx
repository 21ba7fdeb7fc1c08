import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { When } from '../../ui/values/when.tsx';
import { type Request, useDecideRequest, useRequests } from '../api/requests.ts';
import { DecisionDialog } from '../decision-dialog.tsx';
import { useMe } from '../session.tsx';

interface Chosen {
  request: Request;
  verb: 'agree' | 'take_back';
}

const WORDS = {
  agree: {
    title: 'Agree, as a second operator?',
    label: 'Agree',
    tone: 'primary',
    text: 'It is done at once. Check first, by a channel that you know, that it is meant.',
    done: 'You agreed, and it is done.',
  },
  take_back: {
    title: 'Take the request back?',
    label: 'Take back',
    tone: 'danger',
    text: 'Nothing happens. It can be asked for again.',
    done: 'The request is taken back.',
  },
} as const;

function Buttons({ request, choose }: { request: Request; choose: (chosen: Chosen) => void }) {
  const me = useMe();
  const isOwn = request.asked_by === me.name;
  const may = me.roles.includes(request.role);
  return (
    <div className="actions">
      {may && !isOwn && me.newcomer_until === null ? (
        <Button size="small" onPress={() => choose({ request, verb: 'agree' })}>
          Agree…
        </Button>
      ) : null}
      {may || isOwn ? (
        <Button size="small" onPress={() => choose({ request, verb: 'take_back' })}>
          Take back…
        </Button>
      ) : null}
    </div>
  );
}

function columns(choose: (chosen: Chosen) => void): Column<Request>[] {
  return [
    {
      header: 'What',
      cell: ({ what, reason }) => (
        <span className="stacked">
          <strong>{what}</strong>
          <span className="quiet small">“{reason}”</span>
        </span>
      ),
    },
    {
      header: 'Asked by',
      cell: ({ asked_by }) => asked_by,
    },
    { header: 'Until', cell: ({ expires_at }) => <When at={expires_at} /> },
    {
      header: 'Decide',
      align: 'end',
      cell: (request) => <Buttons request={request} choose={choose} />,
    },
  ];
}

/** What takes two operators, and waits for the second one. */
export function RequestsCard() {
  const decide = useDecideRequest();
  const [chosen, setChosen] = useState<Chosen | null>(null);
  const words = chosen === null ? null : WORDS[chosen.verb];
  return (
    <ListCard
      title="Waiting for a second operator"
      query={useRequests()}
      columns={columns(setChosen)}
      empty={<Empty title="Nothing waits for a second operator" />}
    >
      {chosen === null || words === null ? null : (
        <DecisionDialog
          title={words.title}
          confirmLabel={words.label}
          tone={words.tone}
          onClose={() => setChosen(null)}
          onDecide={async (reason) => {
            await decide.mutateAsync({ id: chosen.request.id, verb: chosen.verb, reason });
            toast(words.done, 'success');
          }}
        >
          {chosen.request.what}. {words.text}
        </DecisionDialog>
      )}
    </ListCard>
  );
}
