import type { Attention } from '../../api/attention.ts';
import { formatMoney } from '../../ui/values/money.tsx';
import { countWords } from '../overview/figures.ts';

/** One thing that needs somebody, in a line, and the part of the page that has the rest. */
export interface AttentionLine {
  key: string;
  title: string;
  note: string;
  tone: 'danger' | 'warning';
  to: string;
}

/** Returns what needs somebody, one line for each kind, the most urgent first; empty where nothing does. */
export function attentionLines(attention: Attention): AttentionLine[] {
  const {
    currency,
    failing,
    consents,
    to_confirm: toConfirm,
    settlements,
    endpoints,
    in_question: inQuestion,
    disputes,
  } = attention;
  return [
    ...(disputes.length === 0
      ? []
      : [
          {
            key: 'disputes',
            title: `${countWords(disputes.length, 'disputed payment')} to answer`,
            note: 'Each has a deadline. Refund it, or say why nothing is due.',
            tone: 'danger' as const,
            to: '/attention#disputes',
          },
        ]),
    ...settlements.map((one) => ({
      key: one.id,
      title: `A settlement of ${formatMoney(one.amount)} failed`,
      note: one.message ?? 'The money is in your wallet.',
      tone: 'danger' as const,
      to: `/settlements/${one.id}`,
    })),
    ...failing.map((group) => ({
      key: group.reason,
      title: `${countWords(group.count, 'schedule')} failing, ${formatMoney({ value: group.value, currency })}`,
      note: group.message,
      tone: 'danger' as const,
      to: `/attention#${group.reason}`,
    })),
    ...endpoints.map((one) => ({
      key: one.endpoint_id,
      title: `${countWords(one.undelivered, 'event')} did not reach a webhook endpoint`,
      note: one.url,
      tone: 'danger' as const,
      to: `/webhooks/endpoints/${one.endpoint_id}`,
    })),
    ...(consents.count === 0
      ? []
      : [
          {
            key: 'consents',
            title: `${countWords(consents.count, 'consent')} waiting for the customer`,
            note: 'Send the link again, or cancel the schedule.',
            tone: 'warning' as const,
            to: '/attention#consents',
          },
        ]),
    ...(toConfirm.length === 0
      ? []
      : [
          {
            key: 'to_confirm',
            title: `${countWords(toConfirm.length, 'consent')} to be confirmed again`,
            note: 'The bank needs the customer to authenticate again. Nothing is collected until then.',
            tone: 'warning' as const,
            to: '/attention#to_confirm',
          },
        ]),
    ...(inQuestion.length === 0
      ? []
      : [
          {
            key: 'in_question',
            title: `${countWords(inQuestion.length, 'payment')} under investigation`,
            note: 'We are resolving these with the bank.',
            tone: 'warning' as const,
            to: '/attention#in_question',
          },
        ]),
  ];
}
