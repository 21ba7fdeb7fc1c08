import { html } from '../../platform/values/html.ts';
import { mostOfOne } from '../../schedules/limits/limits.ts';
import { statementReference } from '../../schedules/request/statement-reference.ts';
import { describeSeries } from '../../schedules/terms/describe.ts';
import type { ScheduleStatus, Terms } from '../../schedules/terms/schedule.ts';
import type { PaidFor } from '../all-payments.ts';
import type { Paths } from '../paths.ts';
import type { ConsentPageState } from '../standing.ts';
import { layout } from './layout.ts';
import { amountWords, businessCard, card, merchantHead, note } from './parts.ts';

const STATES: Readonly<Record<ScheduleStatus, string>> = {
  pending_consent: 'Waiting for you',
  active: 'Active',
  paused: 'Paused by the business',
  cancelled: 'Stopped',
};

/** Describes an amount and its frequency on one line. */
function describePrice(terms: Terms): string {
  const isMost = terms.amountMode === 'per_occurrence';
  const amountPence = isMost ? mostOfOne(terms) : terms.amountPence;
  return `${amountWords({ amountPence, isMost })} ${describeSeries(terms.series)}`;
}

/** Renders the list of everything that a customer pays one merchant for. */
export function allPaymentsPage(
  paths: Paths,
  { merchant, token }: ConsentPageState,
  all: readonly PaidFor[],
): string {
  const items = all.map(
    ({ schedule, terms, url }) => html`<li><span><b><a href="${url}">${schedule.description}</a></b>
!${note(describePrice(terms))}!${note(`On your bank statement: ${statementReference(schedule)}`)}
</span><span class="sum"><em class="state quiet">${STATES[schedule.status]}</em></span></li>`,
  );
  const content = html`<section class="card hero">
!${merchantHead(merchant, 'collects payments with your permission')}
<h1>Open Banking payments</h1>
<p class="quiet">Everything that you have agreed to pay ${merchant.name} from your bank account. Open one to see its
payments, or to stop it.</p>
</section>
!${card('calendar', 'What you agreed to', html`<ul class="lines">!${items.join('')}</ul>`)}
<p><a href="${paths.link(token)}">Back</a></p>
!${businessCard(merchant)}`;
  return layout(paths, { title: 'Open Banking payments', merchant, content });
}
