import { RecollectError } from '@recollect/sdk';
import { useEffect, useState } from 'react';
import { useForm } from 'react-hook-form';
import { onProofWanted } from '../../../api/proof.ts';
import { prove } from '../../../api/sign-in.ts';
import { useMe } from '../../../app/session.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import type { ProofValues } from './proof-fields.tsx';
import { ProofPrompt } from './proof-prompt.tsx';

/** Asks for the password, and a code, whenever a change wants them: a session alone may be stolen. */
export function ProofGate() {
  const [answer, setAnswer] = useState<((isProved: boolean) => void) | null>(null);
  useEffect(
    () =>
      onProofWanted(
        () =>
          new Promise((resolve) => {
            setAnswer(() => (isProved: boolean) => {
              setAnswer(null);
              resolve(isProved);
            });
          }),
      ),
    [],
  );
  return answer === null ? null : <ProofDialog onAnswer={answer} />;
}

function ProofDialog({ onAnswer }: { onAnswer: (isProved: boolean) => void }) {
  const { user } = useMe();
  const [wantsCode, setWantsCode] = useState(user.two_factor);
  const form = useForm<ProofValues>({ defaultValues: { password: '', code: '' } });
  return (
    <Dialog
      isOpen
      onClose={() => onAnswer(false)}
      title="Confirm that it is you"
      size="small"
      isBusy={form.formState.isSubmitting}
    >
      <ProofPrompt
        form={form}
        withCode={wantsCode}
        confirmLabel="Confirm"
        onCancel={() => onAnswer(false)}
        onProof={async (proof) => {
          try {
            await prove(proof);
          } catch (error) {
            // The second factor is newer than what this page knows.
            if (error instanceof RecollectError && 'code' in (error.details ?? {}))
              setWantsCode(true);
            throw error;
          }
          onAnswer(true);
        }}
      >
        <p>This change needs your password again. It then holds for five minutes.</p>
      </ProofPrompt>
    </Dialog>
  );
}
