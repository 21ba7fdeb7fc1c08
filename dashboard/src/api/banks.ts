import { useQuery } from '@tanstack/react-query';
import { recollect } from './client.ts';

/** Fetches the banks and how each answers. */
export function useBanks() {
  return useQuery({
    queryKey: ['banks'],
    queryFn: async ({ signal }) => (await recollect.banks.list({ signal })).data,
  });
}

/** Returns the name of a bank; its id until the names are here, or where it is not offered any more. */
export function useBankName(bankId: string | undefined): string {
  const { data } = useBanks();
  return data?.find(({ bank_id: id }) => id === bankId)?.name ?? bankId ?? 'The bank';
}
