/** What a change of a schedule comes to. */
export type PlannedChange =
  | { kind: 'plain' }
  | { kind: 'status'; status: 'none' | 'pause' | 'resume' | 'cancel' }
  | { kind: 'unconsented' }
  | { kind: 'covered'; isAsking: boolean }
  | { kind: 'beyond'; refusal: string; isAsking: boolean };

const OF_STATUS: Readonly<Record<'none' | 'pause' | 'resume' | 'cancel', string>> = {
  none: 'Nothing would change.',
  pause: 'Nothing is collected until it is resumed, and payments that wait are stopped.',
  resume: 'The customer’s consent still stands: collections go on with the next date.',
  cancel: 'It ends for good: nothing more is collected, and the consent is withdrawn at the bank.',
};

/** Why a change needs what it needs, for people. */
export function changeReason(change: PlannedChange): string {
  switch (change.kind) {
    case 'plain':
      return 'Amount and dates stay as they are: the customer has nothing to agree to.';
    case 'status':
      return OF_STATUS[change.status];
    case 'unconsented':
      return 'The customer has not agreed yet: the link that they have shows the new terms.';
    case 'covered':
      return `It is within what the customer agreed to, and holds from the next collection on.${withdrawn(change.isAsking)}`;
    case 'beyond':
      return `The customer’s consent does not allow it: ${withDates(change.refusal)}. ${untilThen(change.isAsking)}`;
  }
}

function untilThen(isAsking: boolean): string {
  const how = isAsking ? 'The link that waits shows the new terms' : 'They get a new link';
  return `${how}; the old terms hold until they agree.`;
}

function withdrawn(isAsking: boolean): string {
  return isAsking ? ' The link that waits is withdrawn.' : '';
}

/** "from 2026-03-01" → "from 1 March 2026". */
function withDates(text: string): string {
  return text.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (date) =>
    Temporal.PlainDate.from(date).toLocaleString('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }),
  );
}
