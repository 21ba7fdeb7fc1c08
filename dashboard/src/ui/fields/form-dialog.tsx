import type { ReactNode } from 'react';
import type { FieldPath, FieldValues, UseFormReturn } from 'react-hook-form';
import { Button } from '../button.tsx';
import { Dialog, DialogActions } from '../overlays/dialog.tsx';
import { Form } from './form.tsx';

export interface FormDialogProps<V extends FieldValues> {
  title: string;
  size?: 'small' | 'medium' | 'large';
  /** Requires a decision: read out as an alert. */
  isAlert?: boolean;
  form: UseFormReturn<V>;
  /** The form's field for a path of the API, if the names differ. */
  aliases?: Readonly<Partial<Record<string, FieldPath<V>>>>;
  confirmLabel: string;
  tone?: 'primary' | 'danger';
  /** Nothing can be submitted until a field has changed. */
  needsChange?: boolean;
  cancelLabel?: string;
  /** Absent: the dialog closes. */
  onCancel?: () => void;
  onClose: () => void;
  /** The dialog closes when it succeeds, unless it resolves to `false`; an error is shown, and the dialog stays open. */
  onSubmit: (values: V) => Promise<unknown>;
  /** The fields, and what will happen. */
  children: ReactNode;
}

/** A form in a dialog, which stays open while it is submitted. */
export function FormDialog<V extends FieldValues>(props: FormDialogProps<V>) {
  const { form, onClose, onSubmit, needsChange = false } = props;
  const { isSubmitting, isDirty } = form.formState;
  const submit = async (values: V) => {
    if ((await onSubmit(values)) !== false) onClose();
  };
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title={props.title}
      size={props.size}
      isBusy={isSubmitting}
      isAlert={props.isAlert}
    >
      <Form form={form} aliases={props.aliases} onSubmit={submit}>
        {props.children}
        <DialogActions>
          <Button onPress={props.onCancel ?? onClose} isDisabled={isSubmitting}>
            {props.cancelLabel ?? 'Cancel'}
          </Button>
          <Button
            variant={props.tone ?? 'primary'}
            type="submit"
            isPending={isSubmitting}
            isDisabled={needsChange && !isDirty}
          >
            {props.confirmLabel}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
