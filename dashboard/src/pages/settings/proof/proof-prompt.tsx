import type { ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Button } from '../../../ui/button.tsx';
import { DialogActions } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { ProofFields, type ProofValues, proofOf } from './proof-fields.tsx';

interface ProofPromptProps {
  form: UseFormReturn<ProofValues>;
  /** What will happen. */
  children: ReactNode;
  confirmLabel: string;
  tone?: 'primary' | 'danger';
  /** Whether this member has a second factor, which is then required too. */
  withCode?: boolean;
  onCancel: () => void;
  /** If it throws, the error is shown and the prompt stays open. */
  onProof: (proof: { password: string; code?: string }) => Promise<unknown>;
}

/** Asks for the password, and a code where there is a second factor; goes into a Dialog. */
export function ProofPrompt(props: ProofPromptProps) {
  const { form } = props;
  const { isSubmitting } = form.formState;
  return (
    <Form form={form} onSubmit={(values) => props.onProof(proofOf(values))}>
      {props.children}
      <ProofFields control={form.control} withCode={props.withCode ?? true} autoFocus />
      <DialogActions>
        <Button onPress={props.onCancel} isDisabled={isSubmitting}>
          Cancel
        </Button>
        <Button variant={props.tone ?? 'primary'} type="submit" isPending={isSubmitting}>
          {props.confirmLabel}
        </Button>
      </DialogActions>
    </Form>
  );
}
