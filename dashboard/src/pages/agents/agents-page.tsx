import type { NewApiKey, PreparedAct } from '@recollect/sdk';
import { useState } from 'react';
import { useActs } from '../../api/developers.ts';
import { useCan, useMe } from '../../app/session.tsx';
import { Badge } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import type { Column } from '../../ui/data/data-table.tsx';
import { Empty } from '../../ui/data/empty.tsx';
import { ListCard } from '../../ui/data/list-card.tsx';
import { LinkButton } from '../../ui/link-button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { CodeBlock } from '../../ui/values/code-block.tsx';
import { Money } from '../../ui/values/money.tsx';
import { When } from '../../ui/values/when.tsx';
import { placeholderKey } from '../developers/snippets.ts';
import { ActSummary } from './act-summary.tsx';
import { agentOf, STATUS_WORDS } from './act-words.ts';
import { AgentKeys } from './agent-keys.tsx';
import { agentSnippets } from './agent-snippets.ts';
import { ConnectAgent } from './connect-agent.tsx';
import { WaitingCard } from './waiting-card.tsx';
import '../lists/lists.css';
import './agents.css';

/** Agents: what waits for a decision, what they did, their keys, and how to connect one. */
export function AgentsPage() {
  const [isAsking, setAsking] = useState(false);
  const [made, setMade] = useState<NewApiKey | null>(null);
  const mayManage = useCan('manage_keys');
  const connect = (
    <Button variant="primary" onPress={() => setAsking(true)}>
      Connect an agent
    </Button>
  );
  return (
    <Page
      title="Agents"
      lead="Programs that work for your team through MCP. What moves money is prepared first, and then done once."
      actions={
        <>
          <LinkButton href="/docs/guides/agents" isNewTab>
            Read the guide
          </LinkButton>
          {mayManage ? connect : null}
        </>
      }
    >
      {made === null ? null : (
        <Notice tone="success" title={`The key of “${made.name}” is in the snippets below`}>
          Copy it before you leave this page: it will not be shown again.
        </Notice>
      )}
      {made === null ? null : <HowToConnect made={made} />}
      <WaitingCard />
      {mayManage ? <AgentKeys /> : null}
      <Acts />
      {made === null ? <HowToConnect made={null} /> : null}
      {isAsking ? <ConnectAgent onClose={() => setAsking(false)} onMade={setMade} /> : null}
    </Page>
  );
}

const COLUMNS: readonly Column<PreparedAct>[] = [
  { header: 'Act', cell: (act) => <ActSummary act={act} /> },
  { header: 'Amount', align: 'end', cell: ({ amount }) => <Money amount={amount} /> },
  {
    header: 'Status',
    cell: ({ status }) => (
      <Badge tone={STATUS_WORDS[status].tone}>{STATUS_WORDS[status].word}</Badge>
    ),
  },
  { header: 'Agent', cell: (act) => agentOf(act) },
  {
    header: 'When',
    cell: ({ ended_at: ended, created_at: created }) => (
      <When at={ended ?? created} as="datetime" />
    ),
  },
];

function Acts() {
  return (
    <ListCard<PreparedAct>
      title="What agents did"
      lead="Of the last 90 days. Everything else that a key did is in the activity, under Settings."
      query={useActs({})}
      columns={COLUMNS}
      empty={
        <Empty title="No agent has prepared anything yet">
          What an agent prepares, commits or leaves appears here.
        </Empty>
      }
    />
  );
}

function HowToConnect({ made }: { made: NewApiKey | null }) {
  const { base_url: baseUrl, mode } = useMe();
  const key = made?.key ?? placeholderKey(mode, undefined);
  return (
    <Card
      title="How to connect"
      lead="Each agent gets a key of its own, with limits. Keep it out of chats and repositories."
    >
      <div className="stack">
        {agentSnippets({ baseUrl, key }).map(({ label, code }) => (
          <CodeBlock key={label} label={label} code={code} />
        ))}
      </div>
    </Card>
  );
}
