import { LinkButton } from '../../../ui/link-button.tsx';
import { useDecisionTotals } from '../../api/decisions.ts';

/** Leads to what waits for a decision about a merchant, a customer or a bank; nothing where nothing does. */
export function DecisionsLink({ q }: { q: string }) {
  const { total = 0 } = useDecisionTotals({ q }).data ?? {};
  if (total === 0) return null;
  return (
    <LinkButton to={`/decisions?${new URLSearchParams({ q })}`}>
      {total === 1 ? '1 decision pending' : `${total} decisions pending`}
    </LinkButton>
  );
}
