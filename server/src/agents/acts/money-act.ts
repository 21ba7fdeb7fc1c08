import { describeAmount } from '../../schedules/terms/describe.ts';

/** What an act is asked with: the parts of a request of its endpoint. */
export interface ActInputs {
  params: Readonly<Record<string, string>>;
  body: Readonly<Record<string, unknown>>;
}

/** The response of an act's endpoint, as far as the acts read it. */
export interface ActResult {
  id?: string;
  status?: string;
  amount?: { value: number } | null;
  first_payment?: { amount: { value: number } } | null;
  frequency?: { type: string; interval: number };
  due_date?: string;
  consent_url?: string;
  /** What an open consent link asks for. */
  consent_for?: string | null;
}

/** An endpoint that moves money, or decides what will be moved: docs/rules/agents.md#acts. */
export interface MoneyAct {
  /** What it is about, by the id in its path; null: it creates something. */
  about: 'schedule' | 'payment' | null;
  /** What it takes by its response, in pence; 0: nothing. What a key's limits count is `countAct`'s. */
  spends(inputs: ActInputs, result: ActResult): number;
  /** Whether the schedule goes on with the collections that it has stopped. Absent: it never does. */
  resumes?(inputs: ActInputs): boolean;
  /** Returns what will happen, in a sentence without a word that anybody else has written. */
  sentence(inputs: ActInputs, result: ActResult): string;
  /** Whether the customer has to agree before it takes effect. */
  asksCustomer(inputs: ActInputs, result: ActResult): boolean;
}

const pence = (result: ActResult): number => result.amount?.value ?? 0;
const pounds = (result: ActResult): string => describeAmount(pence(result));
const nobody = (): boolean => false;

/** The fields of an update that leave what is collected, and when, as it is. */
const HARMLESS: ReadonlySet<string> = new Set([
  'description',
  'metadata',
  'reference',
  'max_retries',
  'status',
  'resume_at',
]);

const changesTerms = ({ body }: ActInputs): boolean =>
  Object.keys(body).some((field) => !HARMLESS.has(field));

/** A pause until a moment resumes on its own. */
const resumes = ({ body }: ActInputs): boolean =>
  body.status === 'active' || typeof body.resume_at === 'string';

const STATUS_WORDS: Readonly<Record<string, string>> = {
  active: 'Resumes',
  paused: 'Pauses',
  cancelled: 'Cancels',
};

/** A value as it can stand in a sentence: numbers, dates and words that the API names. Texts of others are left out. */
const BARE = /^[\w.:+-]{1,40}$/;

function described(field: string, value: unknown): string {
  const parts = (one: unknown): string => {
    if (one === null) return 'none';
    if (typeof one === 'number' || typeof one === 'boolean') return String(one);
    if (typeof one === 'string') return BARE.test(one) ? one : '(text)';
    if (typeof one !== 'object') return '';
    const { value: amount, currency } = one as { value?: unknown; currency?: unknown };
    if (typeof amount === 'number' && currency === 'GBP') return describeAmount(amount);
    return Object.entries(one)
      .map(([name, inner]) => `${BARE.test(name) ? name : '(text)'} ${parts(inner)}`)
      .join(', ');
  };
  return `${field} ${parts(value)}`;
}

function sentenceOfUpdate({ params, body }: ActInputs, result: ActResult): string {
  const { status, resume_at, amount, ...others } = body;
  const verb = STATUS_WORDS[String(status)];
  const until = typeof resume_at === 'string' ? ' until a moment, then resumes it' : '';
  const fields = Object.keys(others).sort();
  const parts = [
    ...(verb === undefined ? [] : [`${verb} schedule ${params.id}${until}.`]),
    ...(amount === undefined
      ? []
      : [
          `Schedule ${params.id} collects ${pounds(result)} from its next collection on${result.consent_for === 'terms' ? ', once the customer agrees' : ''}.`,
        ]),
    ...(fields.length === 0
      ? []
      : [
          `Sets of schedule ${params.id}: ${fields.map((field) => described(field, others[field])).join('; ')}.`,
        ]),
  ];
  return parts.join(' ') || `Changes nothing of schedule ${params.id}.`;
}

/** Every endpoint that moves money or decides what will be moved, one schedule or payment at a time. */
export const MONEY_ACTS: Readonly<Record<string, MoneyAct>> = {
  createPayment: {
    about: 'schedule',
    spends: (_inputs, result) => pence(result),
    sentence: ({ params, body }, result) =>
      `Collects ${pounds(result)} once for schedule ${params.id}, ${typeof body.due_date === 'string' ? `on ${result.due_date}` : 'now'}.`,
    asksCustomer: nobody,
  },
  createSchedule: {
    about: null,
    spends: (_inputs, result) => pence(result) + (result.first_payment?.amount.value ?? 0),
    sentence(_inputs, result) {
      const { frequency, first_payment: first, status } = result;
      const every = frequency?.interval === 1 ? frequency.type : 'at its interval';
      const once = first ? `, and ${describeAmount(first.amount.value)} once at the start` : '';
      const when =
        status === 'active'
          ? 'An earlier consent covers it, so it is active at once.'
          : 'Nothing is collected until the customer has agreed.';
      return `Creates a schedule that collects ${pounds(result)} (${every})${once}. ${when}`;
    },
    asksCustomer: (_inputs, result) => result.status !== 'active',
  },
  updateSchedule: {
    about: 'schedule',
    spends: (inputs, result) => (changesTerms(inputs) || resumes(inputs) ? pence(result) : 0),
    resumes,
    sentence: sentenceOfUpdate,
    asksCustomer: (inputs, result) => changesTerms(inputs) && result.consent_url !== undefined,
  },
  changeUpcoming: {
    about: 'schedule',
    spends: ({ body }, result) => (body.skip === true ? 0 : pence(result)),
    sentence: ({ params, body }, result) =>
      body.skip === true
        ? `Skips the collection of schedule ${params.id} that is due on ${result.due_date}.`
        : `Collects ${pounds(result)} on ${result.due_date} for schedule ${params.id}, instead of its usual amount.`,
    asksCustomer: nobody,
  },
  restoreUpcoming: {
    about: 'schedule',
    spends: (_inputs, result) => pence(result),
    sentence: ({ params }, result) =>
      `Undoes what was set for the collection of schedule ${params.id} that is due on ${result.due_date}: it collects ${pounds(result)}.`,
    asksCustomer: nobody,
  },
  retryPayment: {
    about: 'payment',
    spends: (_inputs, result) => pence(result),
    sentence: ({ params }, result) =>
      `Retries payment ${params.id} of ${pounds(result)}: the customer’s account is debited if it succeeds.`,
    asksCustomer: nobody,
  },
  createRefund: {
    about: 'payment',
    spends: (_inputs, result) => pence(result),
    sentence: ({ params }, result) =>
      `Refunds ${pounds(result)} of payment ${params.id} to the account that paid.`,
    asksCustomer: nobody,
  },
};

const MANY =
  'This API key has limits, and changes schedules one at a time: it cannot change many at once.';
const DISPUTES =
  'This API key has limits, and does not answer disputes: a member of the team does.';

/**
 * What a key with limits may not do, and why: limits count one act at a time, and a dispute is a claim of a customer, which a
 * person answers.
 */
export const NOT_FOR_LIMITED: Readonly<Record<string, string>> = {
  importSchedules: MANY,
  createScheduleChange: MANY,
  runScheduleChange: MANY,
  createDispute: DISPUTES,
  refundDispute: DISPUTES,
  rejectDispute: DISPUTES,
  withdrawDispute: DISPUTES,
};

/** Returns what an act is about, by id; null: it creates something. */
export const aboutId = ({ about }: MoneyAct, { params }: ActInputs): string | null =>
  about === null ? null : (params.id ?? null);
