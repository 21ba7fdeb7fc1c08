import { Link, useSearchParams } from 'react-router';
import type { OverviewView } from '../../../../server/src/dashboard/overview/view.ts';
import { useAttention } from '../../api/attention.ts';
import { useOverview } from '../../api/overview.ts';
import { BankNotice } from '../../app/notices/bank-notice.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { Skeleton } from '../../ui/data/skeleton.tsx';
import { Page } from '../../ui/page.tsx';
import { AttentionCard } from './attention-card.tsx';
import { firstStep, SPANS, type Span, spanOf } from './figures.ts';
import { GetStarted } from './get-started.tsx';
import { LawsCard } from './laws-card.tsx';
import { MoneyCard } from './money-card.tsx';
import '../../ui/charts/chart.css';
import './overview.css';
import { SchedulesCard } from './schedules-card.tsx';
import { Tiles } from './tiles.tsx';
import { TimeCard } from './time-card.tsx';
import { UpcomingCard } from './upcoming-card.tsx';
import { WebhooksCard } from './webhooks-card.tsx';

/** The first page: how collections are going, what is next, and whether anything needs attention. */
export function OverviewPage() {
  const [search] = useSearchParams();
  const span = spanOf(search.get('days'));
  const query = useOverview(span);
  const attention = useAttention(); // comes first on the page, so the rest waits for it instead of jumping down
  const hasFigures = query.data !== undefined && firstStep(query.data) === null;
  return (
    <Page title="Overview" actions={hasFigures ? <SpanChoice span={span} /> : undefined}>
      <QueryView query={query} skeleton={<Waiting />}>
        {(overview) =>
          attention.isPending ? <Waiting /> : <Figures overview={overview} span={span} />
        }
      </QueryView>
    </Page>
  );
}

function SpanChoice({ span }: { span: Span }) {
  return (
    <nav className="span-choice" aria-label="Days shown">
      {SPANS.map((days) => (
        <Link
          key={days}
          to={`?days=${days}`}
          replace
          preventScrollReset
          aria-current={days === span ? 'true' : undefined}
        >
          {days} days
        </Link>
      ))}
    </nav>
  );
}

function Waiting() {
  return (
    <div className="overview">
      <div className="tiles">
        {['collected', 'failed', 'settled', 'rate'].map((name) => (
          <div key={name} className="tile">
            <Skeleton lines={3} />
          </div>
        ))}
      </div>
      <Skeleton lines={8} />
    </div>
  );
}

function Figures({ overview, span }: { overview: OverviewView; span: Span }) {
  const step = firstStep(overview);
  return (
    <div className="overview">
      <BankNotice />
      {step === null ? <AttentionCard /> : null}
      {step === null ? (
        <>
          <Tiles overview={overview} span={span} />
          <TimeCard overview={overview} span={span} />
        </>
      ) : (
        <GetStarted step={step} />
      )}
      {step === 'create' ? (
        <LawsCard overview={overview} />
      ) : (
        <div className="overview-columns">
          <UpcomingCard overview={overview} />
          <MoneyCard overview={overview} />
          <SchedulesCard overview={overview} />
          <WebhooksCard overview={overview} />
          <LawsCard overview={overview} />
        </div>
      )}
    </div>
  );
}
