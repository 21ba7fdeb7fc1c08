import { useState } from 'react';
import { useForm } from 'react-hook-form';
import { useReset } from '../../api/sandbox.ts';
import { BASE } from '../../app/base.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { Dialog, DialogActions } from '../../ui/dialog.tsx';
import { Form } from '../../ui/form.tsx';
import { TextField } from '../../ui/text-field.tsx';

const WORD = 'reset';

/** Sets the sandbox back to its beginning, when the word was typed. */
export function ResetSandbox() {
  const [isAsking, setAsking] = useState(false);
  return (
    <Card
      title="Start again"
      lead="Deletes what happened in this sandbox and sets its clock back to real time."
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
  const { isSubmitting } = form.formState;
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Reset the sandbox?"
      size="small"
      isBusy={isSubmitting}
      isAlert
    >
      <Form
        form={form}
        onSubmit={async () => {
          await reset.mutateAsync();
          location.assign(`${BASE}/`);
        }}
      >
        <p>
          Every schedule, customer, payment, settlement and event of this sandbox is deleted, for
          everybody who uses it, and its clock goes back to real time. It cannot be undone.
        </p>
        <p>Your business details, team, API keys and webhook endpoints stay.</p>
        <TextField
          control={form.control}
          name="word"
          label={`Type “${WORD}” to go on`}
          rules={{ validate: (word) => word.trim().toLowerCase() === WORD || `Type “${WORD}”.` }}
          isCode
          autoFocus
        />
        <DialogActions>
          <Button onPress={onClose} isDisabled={isSubmitting}>
            Cancel
          </Button>
          <Button type="submit" variant="danger" isPending={isSubmitting}>
            Reset everything
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
