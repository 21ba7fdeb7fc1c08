import { useId, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Columns3 } from '../../ui/icons.tsx';
import { DoneDialog } from '../../ui/overlays/dialog.tsx';
import type { ShownColumns } from './use-columns.ts';

/** Chooses the columns of a list; kept in the address and in this browser. */
export function ColumnChooser<T>({ all, shown, toggle }: ShownColumns<T>) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <>
      <Button variant="ghost" onPress={() => setOpen(true)}>
        <Columns3 aria-hidden="true" /> Columns
      </Button>
      <DoneDialog isOpen={isOpen} onClose={() => setOpen(false)} title="Columns" size="small">
        <fieldset className="choices">
          <legend className="visually-hidden">Columns to show</legend>
          {all.map(({ key, header }, place) => (
            <div key={key} className="choice">
              <input
                type="checkbox"
                id={`${id}-${key}`}
                checked={shown.some((one) => one.key === key)}
                disabled={place === 0}
                onChange={() => toggle(key)}
              />
              <label htmlFor={`${id}-${key}`}>{header}</label>
            </div>
          ))}
        </fieldset>
      </DoneDialog>
    </>
  );
}
