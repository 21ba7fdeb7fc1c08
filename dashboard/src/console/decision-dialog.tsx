import type { ReactNode } from 'react';
import { type Control, type FieldPath, type FieldValues, useForm } from 'react-hook-form';
import { FormDialog } from '../ui/fields/form-dialog.tsx';
import { TextArea } from '../ui/fields/text-area.tsx';

interface DecisionDialogProps {
  title: string;
  confirmLabel: string;
  tone?: 'danger' | 'primary';
  /** What will happen. */
  children: ReactNode;
  onClose: () => void;
  /** The dialog closes when it succeeds, and shows the error and stays open when it fails. */
  onDecide: (reason: string) => Promise<unknown>;
}

const LONGEST_REASON = 500;

/** Asks for the reason of a decision. */
export function ReasonField<V extends FieldValues>(props: {
  control: Control<V>;
  name: FieldPath<V>;
}) {
  return (
    <TextArea
      {...props}
      label="Reason"
      description="Recorded with your name in the audit trail."
      rows={3}
      maxLength={LONGEST_REASON}
      rules={{ validate: (text) => String(text).trim() !== '' || 'Say why.' }}
    />
  );
}

/** Asks for the reason of a decision, which is recorded with the operator's name. */
export function DecisionDialog(props: DecisionDialogProps) {
  const { title, confirmLabel, tone = 'primary', children, onClose, onDecide } = props;
  const form = useForm({ defaultValues: { reason: '' } });
  return (
    <FormDialog
      onClose={onClose}
      title={title}
      size="small"
      form={form}
      onSubmit={async ({ reason }) => {
        await onDecide(reason.trim());
      }}
      confirmLabel={confirmLabel}
      tone={tone}
    >
      <p>{children}</p>
      <ReasonField control={form.control} name="reason" />
    </FormDialog>
  );
}
