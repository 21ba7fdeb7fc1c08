import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinkButton } from '../../ui/link-button.tsx';

interface NothingFoundProps {
  /** What the list is of, such as "refunds". */
  of: string;
  isNarrowed: boolean;
  onClear: () => void;
  /** How the first one comes about. */
  children: ReactNode;
}

/** An empty list of what follows from payments: nothing matches its filter, or there is nothing yet. */
export function NothingFound({ of, isNarrowed, onClear, children }: NothingFoundProps) {
  return isNarrowed ? (
    <Empty title={`No ${of} match`} action={<Button onPress={onClear}>Show all</Button>} />
  ) : (
    <Empty
      title={`No ${of} yet`}
      action={<LinkButton to="/payments">View collected payments</LinkButton>}
    >
      {children}
    </Empty>
  );
}
