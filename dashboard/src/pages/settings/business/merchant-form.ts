import type { Merchant, MerchantChanges } from '@recollect/sdk';
import { type DefaultValues, type FieldValues, useForm } from 'react-hook-form';
import { useChangeMerchant } from '../../../api/merchant.ts';
import { toast } from '../../../ui/overlays/toast.tsx';
import { CLEAN } from '../frame/save-bar.tsx';

/** A form of some of the merchant's settings; what others change meanwhile shows, except in the fields that were edited. */
export function useMerchantForm<V extends FieldValues>(
  merchant: Merchant,
  read: (merchant: Merchant) => V,
  changes: (values: V) => MerchantChanges,
  said = 'Saved.',
) {
  const change = useChangeMerchant();
  const form = useForm<V>({
    values: read(merchant),
    resetOptions: { keepDirtyValues: true },
  });
  const save = async (values: V) => {
    const saved = await change.mutateAsync(changes(values));
    form.reset(read(saved) as DefaultValues<V> as V, CLEAN);
    toast(said, 'success');
  };
  return { form, save };
}
