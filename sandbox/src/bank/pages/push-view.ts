import type { Brand } from '../behaviour/brands.ts';
import type { PushNotification } from '../books/push-notifications.ts';
import { poundsOf } from '../wire/money.ts';
import { html } from './html.ts';
import { type IconName, icon } from './layout.ts';
import { momentSeenFrom, REASON_WORDS } from './words.ts';

const VERBS: Record<PushNotification['outcome'], string> = {
  on_its_way: 'is collecting',
  taken: 'collected',
  not_taken: 'tried to collect',
};

const DRAWINGS: Record<PushNotification['outcome'], IconName> = {
  on_its_way: 'bell',
  taken: 'check',
  not_taken: 'alert',
};

/** Renders one notification: payee, amount, time and outcome. Links to the permission. */
export function pushCard(brand: Brand, push: PushNotification, now: Temporal.Instant): string {
  const { amountPence, at, consentId, outcome, payee } = push;
  const startedAt = Temporal.Instant.from(at);
  return html`
<a class="push ${outcome}" href="/${brand.bankId}/app/consents/${consentId}">
  <span class="tile">!${icon(DRAWINGS[outcome])}</span>
  <span class="who"><b>${payee}</b> ${VERBS[outcome]} <b>${poundsOf(amountPence)}</b>
    <small class="fate">${outcomeText(push)}</small>
    <small><time datetime="${at}">${momentSeenFrom(now, startedAt)}</time></small></span>
</a>`;
}

function outcomeText({ outcome, reason, account }: PushNotification): string {
  const from = account.toLowerCase();
  if (outcome === 'taken') return `Taken from your ${from}`;
  if (outcome === 'on_its_way') return `On its way from your ${from}`;
  const why = reason === 'AM04' ? `not enough money in your ${from}` : reasonWords(reason);
  return `Not taken: ${why}`;
}

function reasonWords(reason: string | null): string {
  const words = REASON_WORDS[reason ?? ''] ?? 'your bank refused it';
  return words.charAt(0).toLowerCase() + words.slice(1);
}

/** Renders notifications as a list of cards. */
export function pushList(
  brand: Brand,
  pushes: readonly PushNotification[],
  now: Temporal.Instant,
): string {
  if (pushes.length === 0)
    return html`<p class="card empty">Nothing yet. When a company collects a payment, it appears
here automatically.</p>`;
  const items = pushes.map((push) => html`<li>!${pushCard(brand, push, now)}</li>`);
  return html`<ul class="pushes">!${items.join('')}</ul>`;
}
