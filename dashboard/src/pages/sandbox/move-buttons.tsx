import type { SandboxMove } from '@recollect/sdk';
import { useForm } from 'react-hook-form';
import { usePulse } from '../../app/pulse.ts';
import { Button } from '../../ui/button.tsx';
import { DateTimeField } from '../../ui/fields/date-time-field.tsx';
import { Form } from '../../ui/fields/form.tsx';
import { When } from '../../ui/values/when.tsx';
import { CLOCK_STEPS } from './moves.ts';

interface Props {
  isMoving: boolean;
  onMove: (move: SandboxMove) => void;
}

/** Buttons that move the clock forward; it never goes back. */
export function MoveButtons({ isMoving, onMove }: Props) {
  return (
    <div className="moves">
      <fieldset className="row">
        <legend className="field-label moves-label">Move forward by</legend>
        {CLOCK_STEPS.map(({ label, by }) => (
          <Button key={by} isDisabled={isMoving} onPress={() => onMove({ by })}>
            {label}
          </Button>
        ))}
      </fieldset>
      <div className="row">
        <NextCollection isMoving={isMoving} onMove={onMove} />
      </div>
      <ToDate isMoving={isMoving} onMove={onMove} />
    </div>
  );
}

function NextCollection({ isMoving, onMove }: Props) {
  const next = usePulse()?.next_collection_at ?? null;
  return (
    <>
      <Button
        variant="primary"
        isDisabled={isMoving || next === null}
        onPress={() => {
          if (next !== null) onMove({ to: next });
        }}
      >
        To the next collection
      </Button>
      <span className="quiet">
        {next === null ? (
          'No collections are due: a customer has to give consent first.'
        ) : (
          <When at={next} />
        )}
      </span>
    </>
  );
}

function ToDate({ isMoving, onMove }: Props) {
  const form = useForm<{ to: string | null }>({ defaultValues: { to: null } });
  return (
    <Form
      form={form}
      onSubmit={async ({ to }) => {
        if (to !== null) onMove({ to });
      }}
    >
      <div className="to-date">
        <DateTimeField control={form.control} name="to" label="To a date" isRequired />
        <Button type="submit" isDisabled={isMoving}>
          Go there
        </Button>
      </div>
    </Form>
  );
}
