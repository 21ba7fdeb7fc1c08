import { type UseFormReturn, useWatch } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { formatMoney } from '../../../ui/values/money.tsx';
import { suggestedLimit } from './head-room.ts';
import { CURRENCY, type ScheduleValues } from './schedule-form.ts';

const LIMIT = 'limits.per_payment.value';

/** Offers a limit above the amount of a new schedule, so that a price change needs no new approval. */
export function HeadRoomOffer({ form }: { form: UseFormReturn<ScheduleValues> }) {
  const { control } = form;
  const amount = useWatch({ control, name: 'amount.value' });
  const limit = useWatch({ control, name: LIMIT });
  const isFixed = useWatch({ control, name: 'amount_mode' }) === 'fixed';
  if (amount === null || amount <= 0 || !isFixed) return null;
  const money = (value: number): string => formatMoney({ value, currency: CURRENCY });
  const set = (value: number | null) =>
    form.setValue(LIMIT, value, { shouldDirty: true, shouldValidate: true });
  if (limit === null)
    return (
      <p className="head-room">
        <span>Does the price change now and then?</span>
        <Button size="small" onPress={() => set(suggestedLimit(amount))}>
          Allow up to {money(suggestedLimit(amount))}
        </Button>
        <span className="quiet">A price change up to there needs no new approval.</span>
      </p>
    );
  return (
    <p className="head-room" role="status">
      <span>
        The customer allows up to {money(limit)} a payment, and pays {money(amount)}.
      </span>
      <Button size="small" variant="ghost" onPress={() => set(null)}>
        Only {money(amount)}
      </Button>
    </p>
  );
}
