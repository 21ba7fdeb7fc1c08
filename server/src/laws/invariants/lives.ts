/**
 * Every state of every noun with a life: how old it may be before it is overdue, where a person sees it then, and how an
 * operator's word ends it. A state that has no line fails a test, so that nothing new can wait unseen. The list of what is
 * overdue, the metrics and the invariant `nothing-waits-unseen` are made from these lines.
 */
export interface Life {
  /** In the plural, as its state machine names it. */
  noun: string;
  state: string;
  /** How long it may stay so; null: for ever, and `end` says why. */
  limit: Temporal.Duration | null;
  /** The list on which it stands once it is overdue. */
  list: 'payments' | 'unallocated' | 'overdue' | null;
  /** How it ends by an operator's word, or why it needs none. */
  end: string;
}

const IMMEDIATELY = Temporal.Duration.from({ seconds: 0 });
const hours = (count: number): Temporal.Duration => Temporal.Duration.from({ hours: count });
const days = (count: number): Temporal.Duration => hours(count * 24);

const PAID_OR_NOT =
  'the word that it was paid, or was not, with evidence; the issuer is asked first';
const OVER = 'it is over';

type Row = readonly [state: string, limit: Temporal.Duration | null, end: string];

const linesOf = (noun: string, list: Life['list'], rows: readonly Row[]): Life[] =>
  rows.map(([state, limit, end]) => ({
    noun,
    state,
    limit,
    list: limit === null ? null : list,
    end,
  }));

/** The lines, noun by noun, in the order of a collection's life. */
export const LIVES: readonly Life[] = [
  ...linesOf('schedules', null, [
    ['pending_consent', null, "its consent's line holds for it"],
    ['active', null, 'it collects until somebody ends it'],
    ['paused', null, 'the merchant resumes it, or its planned time does'],
    ['cancelled', null, OVER],
  ]),
  ...linesOf('consents', 'overdue', [
    ['pending', hours(24), 'the word that it will not be decided: the set-up fails'],
    ['authorising', hours(24), 'the word that it will not be decided: the set-up fails'],
    ['authorised', hours(2), 'the word that its wallet cannot be opened: the set-up fails'],
    ['granted', null, 'it holds until somebody ends it; the bank is looked at daily'],
    ...(['denied', 'expired', 'rejected', 'revoked', 'replaced', 'dropped'] as const).map(
      (state): Row => [state, null, OVER],
    ),
  ]),
  ...linesOf('bank deletions', 'overdue', [
    ['waiting', days(7), 'the word that the bank has deleted the consent, with evidence'],
  ]),
  ...linesOf('wallets', 'overdue', [
    ['planned', hours(24), "nothing but the issuer: without its wallet a merchant can't collect"],
    ['reserved', hours(24), "nothing but the issuer: without its wallet a merchant can't collect"],
    ['open', null, 'it is in use'],
    ['closing', hours(24), 'the word that the issuer has closed it, with evidence'],
    ['closed', null, OVER],
  ]),
  ...linesOf('payments', 'payments', [
    ['pending', days(7), 'the word that it will not be sent: the payment fails'],
    ['submit', hours(24), 'the word that it was not carried out, with evidence: the payment fails'],
    ['track', hours(24), 'the word that it was not carried out, with evidence: the payment fails'],
    ['move', hours(2), 'the word that it cannot be transferred: its money is unallocated'],
    ['success', null, OVER],
    ['failed', null, 'it is over, unless it is retried by hand'],
  ]),
  ...linesOf('attempts', null, [
    ['started', null, "its payment's line holds for it"],
    ['processing', null, "its payment's line holds for it"],
    ['success', null, "its payment's line holds for it"],
    ['failed', null, OVER],
  ]),
  ...linesOf('unallocated items', 'unallocated', [
    ['open', IMMEDIATELY, 'applied to a payment, returned, paid on, or credited to the merchant'],
    ...(['allocated', 'accepted_in_part', 'returned', 'paid_on', 'credited'] as const).map(
      (state): Row => [state, null, OVER],
    ),
  ]),
  ...linesOf('refunds', 'overdue', [
    ['waiting', days(31), 'the word that it will not be paid: it fails'],
    ['pending', hours(24), 'the word that it will not be paid: it fails'],
    ['asked', hours(24), PAID_OR_NOT],
    ['track', hours(24), PAID_OR_NOT],
    ['success', null, OVER],
    ['failed', null, OVER],
  ]),
  ...linesOf('disputes', null, [
    ['open', null, 'the merchant answers it; its deadline stands with it, and operators list it'],
    ...(['refunded', 'returned', 'rejected', 'withdrawn'] as const).map(
      (state): Row => [state, null, OVER],
    ),
  ]),
  ...linesOf('settlements', 'overdue', [
    ['pending', hours(24), 'the word that it will not be paid: its money goes out later'],
    ['asked', hours(24), PAID_OR_NOT],
    ['track', hours(24), PAID_OR_NOT],
    ['differs', IMMEDIATELY, `the issuer is asked again; or ${PAID_OR_NOT}`],
    ['success', null, OVER],
    ['failed', days(7), 'its account is confirmed, or it is retried by hand'],
    ['passed_on', null, OVER],
  ]),
  ...linesOf('fee transfers', 'overdue', [
    ['waiting', hours(24), 'the word that the issuer has transferred the fees, with evidence'],
  ]),
  ...linesOf('covers', 'overdue', [
    ['owed', days(30), 'the next settlements of the merchant, or its payment to the operator'],
    ['netted', hours(24), 'the word that the issuer has its cover, with evidence'],
  ]),
  ...linesOf('deliveries', 'overdue', [
    [
      'pending',
      hours(24),
      'its tries, of which the last ends it: the stage that makes them has to run',
    ],
    ['held', null, 'its endpoint is disabled: the merchant sees it beside the endpoint'],
    ['failed', null, 'it is over, unless it is sent again by hand'],
    ['delivered', null, OVER],
  ]),
  ...linesOf('notices', 'overdue', [
    [
      'pending',
      hours(48),
      'its tries, of which the last ends it: the stage that makes them has to run',
    ],
    ['sent', null, OVER],
    ['failed', null, OVER],
    ['kept', null, OVER],
  ]),
  ...linesOf('webhook endpoints', null, [
    ['enabled', null, 'it is in use'],
    ['disabled', null, 'the merchant enables it again'],
    ['deleted', null, OVER],
  ]),
  ...linesOf('changes of the settlement account', null, [
    ['pending', null, 'its stage ends it after 24 hours; the merchant and operators see it'],
    ['in_force', null, OVER],
    ['taken_back', null, OVER],
  ]),
  ...linesOf('prepared acts', null, [
    ['prepared', null, 'it is done, or cannot be any more after an hour'],
    ['waiting', null, 'a member approves or declines it; after 72 hours it cannot be done'],
    ...(['done', 'declined', 'replaced'] as const).map((state): Row => [state, null, OVER]),
  ]),
  ...linesOf('requests of operators', null, [
    ['pending', null, 'whoever reads or makes a request ends those of seven days ago'],
    ...(['agreed', 'taken_back', 'expired'] as const).map((state): Row => [state, null, OVER]),
  ]),
];

/** Returns the line of a state. Throws if there is none: a defect. */
export function lifeOf(noun: string, state: string): Life {
  const found = LIVES.find((one) => one.noun === noun && one.state === state);
  if (found === undefined) throw new Error(`no line says how long ${noun} may be ${state}`);
  return found;
}
