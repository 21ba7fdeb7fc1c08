import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import type { Act, Decision } from '../../api/decisions.ts';
import { useMe } from '../../session.tsx';
import { ActDialog } from './act-dialog.tsx';
import { wordsFor } from './act-words.ts';

/** Returns the acts that this operator may do: nobody agrees with themselves, and a newcomer with nobody. */
export function useActs({ acts, role, first }: Decision): readonly Act[] {
  const me = useMe();
  const isOwn = first?.by === me.name;
  return acts.filter((act) => {
    if (act === 'take_back') return isOwn || me.roles.includes(role);
    if (!me.roles.includes(role)) return false;
    if (act === 'agree') return !isOwn && me.newcomer_until === null;
    return !(isOwn && act === first?.act);
  });
}

interface ActsProps {
  /** What its dialogs are about: as the API names it. */
  decision: Decision;
  acts: readonly Act[];
  size?: 'small' | 'normal';
  onDone?: () => void;
}

/** The buttons of what may be done, the first of which fits best, and their dialogs. */
export function Acts({ decision, acts, size = 'normal', onDone }: ActsProps) {
  const [chosen, setChosen] = useState<Act | null>(null);
  const isFirst = (act: Act, place: number): boolean =>
    size === 'normal' && place === 0 && wordsFor(decision, act).tone !== 'danger';
  return (
    <>
      <div className="actions">
        {acts.map((act, place) => (
          <Button
            key={act}
            size={size}
            variant={isFirst(act, place) ? 'primary' : 'secondary'}
            onPress={() => setChosen(act)}
          >
            {`${wordsFor(decision, act).label}…`}
          </Button>
        ))}
      </div>
      {chosen === null ? null : (
        <ActDialog
          decision={decision}
          act={chosen}
          onClose={() => setChosen(null)}
          {...(onDone === undefined ? {} : { onDone })}
        />
      )}
    </>
  );
}
