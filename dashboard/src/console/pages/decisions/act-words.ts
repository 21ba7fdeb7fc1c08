import { formatMoney } from '../../../ui/values/money.tsx';
import type { Act, Decision } from '../../api/decisions.ts';

/** What an act is called, what it does, and what is said once it is done. */
export interface ActWords {
  label: string;
  text: string;
  done: string;
  tone?: 'danger';
  /** What it asks for beside the reason. */
  asks?: 'payment' | 'evidence';
}

const WORDS: Readonly<Record<Act, ActWords>> = {
  allocate: {
    label: 'Apply to a payment',
    text: 'The payment is collected with this money. The amounts must be equal.',
    done: 'The payment is collected.',
    asks: 'payment',
  },
  accept: {
    label: 'Accept',
    text: 'The money counts for the payment; the shortfall is not collected.',
    done: 'The payment is collected with what arrived.',
    asks: 'payment',
  },
  return: {
    label: 'Returned to the payer',
    text: 'Record that the issuer has returned the money. This sends nothing.',
    done: 'The return is recorded.',
  },
  pay_on: {
    label: 'Paid on by hand',
    text: 'Record that it was paid to whom it belongs; this sends nothing. The payment that it settles (or “none”) ends.',
    done: 'Recorded as paid on by hand.',
    asks: 'payment',
  },
  credit: {
    label: 'Add to the merchant’s balance',
    text: 'Only for money in the merchant’s own wallet. It goes out with the next settlement.',
    done: 'The money is on the merchant’s balance.',
  },
  fail: {
    label: 'Mark as failed',
    text: 'The bank and the issuer are asked once more first. Money that comes later is booked as usual.',
    done: 'The payment has failed. Money that comes later is booked as usual.',
    tone: 'danger',
    asks: 'evidence',
  },
  confirm: {
    label: 'Confirm the account',
    text: 'Check the account with the merchant first. The money goes out to it with the next settlement.',
    done: 'The account is confirmed. The money goes out with the next settlement.',
  },
  ask: {
    label: 'Ask the issuer again',
    text: 'The issuer must have taken its pay-out back. The settlement then fails, and its money goes with the next.',
    done: 'The issuer is being asked again.',
  },
  done: {
    label: 'It has happened',
    text: 'Ask the issuer or the bank first. What they know themselves is recorded automatically.',
    done: 'Recorded: it has happened.',
    asks: 'evidence',
  },
  not_done: {
    label: 'It won’t happen',
    text: 'Ask the issuer or the bank first. What they know themselves is recorded automatically.',
    done: 'Recorded: it has not happened, and will not.',
    tone: 'danger',
    asks: 'evidence',
  },
  agree: {
    label: 'Agree',
    text: 'It is done at once. Check first, by a channel that you know, that it is meant.',
    done: 'You agreed, and it is done.',
  },
  take_back: {
    label: 'Take back',
    text: 'Nothing happens. It can be asked for again.',
    done: 'The request is taken back.',
    tone: 'danger',
  },
  resolve: {
    label: 'Resolve',
    text: 'Say how it was resolved. It opens again if its amount changes.',
    done: 'The difference is resolved.',
  },
  trust: {
    label: 'Trust again',
    text: 'Check with the bank first. Consents that it says are over then end.',
    done: 'The bank is trusted again.',
  },
};

/** Returns the words of an act about a decision: money that is accepted is named. */
export function wordsFor(
  { amount, expected, arrived }: Pick<Decision, 'amount' | 'expected' | 'arrived'>,
  act: Act,
): ActWords {
  const words = WORDS[act];
  if (act !== 'accept' || amount === null) return words;
  const isTooMuch = expected !== null && (arrived?.value ?? 0) > expected.value;
  return {
    ...words,
    label: `Accept ${formatMoney(isTooMuch ? expected : amount)}`,
    text: isTooMuch
      ? 'The payment is collected. What is left over becomes a decision of its own.'
      : words.text,
  };
}
