/** The kind of a planned schedule change. */
export type PlannedChange =
  | { kind: 'plain' }
  | { kind: 'status'; status: 'none' | 'pause' | 'resume' | 'cancel' }
  | { kind: 'unconsented' }
  | { kind: 'covered'; isAsking: boolean }
  | { kind: 'beyond'; refusal: string; isAsking: boolean };

const OF_STATUS: Readonly<Record<'none' | 'pause' | 'resume' | 'cancel', string>> = {
  none: 'Nothing would change.',
  pause: 'Nothing is collected until it is resumed, and waiting payments are stopped.',
  resume: 'The customer’s consent is still in force: collections continue with the next date.',
  cancel:
    'Nothing more is collected, and the consent is revoked at the bank. This cannot be undone.',
};

/** Explains, for people, why a change needs what it needs. */
export function changeReason(change: PlannedChange): string {
  switch (change.kind) {
    case 'plain':
      return 'The amount and dates do not change, so no new consent is needed.';
    case 'status':
      return OF_STATUS[change.status];
    case 'unconsented':
      return 'The customer has not given consent yet: their existing link shows the new terms.';
    case 'covered':
      return `This is within what the customer agreed to and applies from the next collection.${withdrawn(change.isAsking)}`;
    case 'beyond':
      return `The customer’s consent does not cover this: ${withDates(change.refusal)}. ${untilThen(change.isAsking)}`;
  }
}

function untilThen(isAsking: boolean): string {
  const how = isAsking ? 'Their open link shows the new terms' : 'They get a new link';
  return `${how}; the old terms apply until they give consent.`;
}

function withdrawn(isAsking: boolean): string {
  return isAsking ? ' The open link is withdrawn.' : '';
}

/** Replaces "from 2026-03-01" with "from 1 March 2026". */
function withDates(text: string): string {
  return text.replaceAll(/\b\d{4}-\d{2}-\d{2}\b/g, (date) =>
    Temporal.PlainDate.from(date).toLocaleString('en-GB', {
      day: 'numeric',
      month: 'long',
      year: 'numeric',
    }),
  );
}
