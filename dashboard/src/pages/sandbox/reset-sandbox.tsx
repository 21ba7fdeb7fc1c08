import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useReset } from '../../api/sandbox.ts';
import { BASE } from '../../app/base.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { FormDialog } from '../../ui/fields/form-dialog.tsx';
import { TextField } from '../../ui/fields/text-field.tsx';

const WORD = 'reset';

/** Resets the sandbox, after the confirmation word was typed. */
export function ResetSandbox() {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card
      title="Start again"
      lead="Deletes everything that happened in this sandbox and resets its clock to real time."
      actions={
        <Button variant="danger" onPress={() => setAsking(true)}>
          Reset the sandbox
        </Button>
      }
    >
      {isAsking ? <AskReset onClose={() => setAsking(false)} /> : null}
    </Card>
  );
}

function AskReset({ onClose }: { onClose: () => void }) {
  const form = useForm({ defaultValues: { word: '' } });
  const reset = useReset();
  return (
    <FormDialog
      onClose={onClose}
      title="Reset the sandbox?"
      size="small"
      isAlert
      form={form}
      onSubmit={async () => {
        await reset.mutateAsync();
        location.assign(`${BASE}/`);
        return false;
      }}
      confirmLabel="Reset everything"
      tone="danger"
    >
      <p>
        This deletes every schedule, customer, payment, settlement and event in this sandbox, for
        everyone who uses it, and resets its clock to real time. It cannot be undone.
      </p>
      <p>Your business details, team, API keys and webhook endpoints are kept.</p>
      <TextField
        control={form.control}
        name="word"
        label={`Type “${WORD}” to continue`}
        rules={{ validate: (word) => word.trim().toLowerCase() === WORD || `Type “${WORD}”.` }}
        isCode
        autoFocus
      />
    </FormDialog>
  );
}
