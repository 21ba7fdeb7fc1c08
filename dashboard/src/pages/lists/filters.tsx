import type { ReactNode } from 'react';
import { Button } from '../../ui/button.tsx';
import './lists.css';

interface FiltersProps {
  isNarrowed: boolean;
  onClear: () => void;
  children: ReactNode;
}

/** The filters above a list, side by side, with a button to clear them all. */
export function Filters({ isNarrowed, onClear, children }: FiltersProps) {
  return (
    <fieldset className="filters">
      <legend className="visually-hidden">Filters</legend>
      {children}
      {isNarrowed ? (
        <Button variant="ghost" onPress={onClear}>
          Clear filters
        </Button>
      ) : null}
    </fieldset>
  );
}
