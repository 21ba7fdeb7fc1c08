import { useForm } from 'react-hook-form';
import { FormDialog, type FormDialogProps } from '../../../ui/fields/form-dialog.tsx';
import { ProofFields, type ProofValues, proofOf } from './proof-fields.tsx';

interface ProofDialogProps
  extends Omit<FormDialogProps<ProofValues>, 'form' | 'aliases' | 'onSubmit'> {
  /** Whether this member has a second factor, which is then required too. */
  withCode?: boolean;
  /** As `onSubmit` of a FormDialog. */
  onProof: (proof: { password: string; code?: string }) => Promise<unknown>;
}

/** Says what will happen, and asks for the password, and a code where there is a second factor. */
export function ProofDialog(props: ProofDialogProps) {
  const { withCode = true, onProof, children, ...dialog } = props;
  const form = useForm<ProofValues>({ defaultValues: { password: '', code: '' } });
  return (
    <FormDialog {...dialog} form={form} onSubmit={(values) => onProof(proofOf(values))}>
      {children}
      <ProofFields control={form.control} withCode={withCode} autoFocus />
    </FormDialog>
  );
}
