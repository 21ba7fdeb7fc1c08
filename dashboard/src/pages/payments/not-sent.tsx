import type { Payment } from '@recollect/sdk';
import { useBankName } from '../../api/banks.ts';
import { useTimeZone } from '../../ui/values/time-zone.tsx';
import { formatTime } from '../../ui/values/when.tsx';
import { notSentWords } from './outcome-words.ts';

/** Says why nothing was sent to the bank yet, and when we try again. */
export function NotSent({ notSent }: { notSent: NonNullable<Payment['not_sent']> }) {
  const bankName = useBankName(notSent.bank_id);
  const zone = useTimeZone();
  const { next_try_at: at } = notSent;
  const why = notSentWords(notSent.reason, bankName);
  return at === null ? why : `${why} We will try again at ${formatTime(at, zone)}.`;
}
