import { RecollectError } from '@recollect/sdk';
import { useEffect, useState } from 'react';
import { onProofRequested } from '../../../api/people/proof.ts';
import { prove } from '../../../api/people/sign-in.ts';
import { useMe } from '../../../app/session.tsx';
import { ProofDialog } from './proof-dialog.tsx';

/** Asks for the password, and a code, whenever a change wants them: a session alone may be stolen. */
export function ProofGate() {
  const [answer, setAnswer] = useState<((isProved: boolean) => void) | null>(null);
  useEffect(
    () =>
      onProofRequested(
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
  return answer === null ? null : <GateDialog onAnswer={answer} />;
}

function GateDialog({ onAnswer }: { onAnswer: (isProved: boolean) => void }) {
  const { user } = useMe();
  const [wantsCode, setWantsCode] = useState(user.two_factor);
  return (
    <ProofDialog
      title="Confirm that it is you"
      size="small"
      confirmLabel="Confirm"
      withCode={wantsCode}
      onClose={() => onAnswer(false)}
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
        return false;
      }}
    >
      <p>This change needs your password again. It then holds for five minutes.</p>
    </ProofDialog>
  );
}
