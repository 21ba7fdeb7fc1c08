import { useForm } from 'react-hook-form';
import { CheckboxField } from '../../../ui/fields/checkbox-field.tsx';
import { FormDialog } from '../../../ui/fields/form-dialog.tsx';
import { TextArea } from '../../../ui/fields/text-area.tsx';
import { TextField } from '../../../ui/fields/text-field.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Id } from '../../../ui/values/id.tsx';
import { type Act, type ActDetails, type Decision, useAct } from '../../api/decisions.ts';
import { ReasonField } from '../../decision-dialog.tsx';
import { paymentFor } from './act-payment.ts';
import { wordsFor } from './act-words.ts';

interface ActDialogProps {
  decision: Decision;
  act: Act;
  onClose: () => void;
  /** It is done; not where a second operator still has to agree. */
  onDone?: () => void;
}

/** Asks for the reason of an act, and for what else it takes, and does it. */
export function ActDialog({ decision, act, onClose, onDone }: ActDialogProps) {
  const decide = useAct(decision, act);
  const { label, text, done, tone = 'primary', asks } = wordsFor(decision, act);
  const payment = decision.payment_id;
  const named = paymentFor(decision, act);
  const blank: ActDetails = { reason: '', evidence: '', payment_id: named, is_silent: false };
  const form = useForm({ defaultValues: blank });
  return (
    <FormDialog
      onClose={onClose}
      title={`${label}?`}
      size="small"
      form={form}
      onSubmit={async ({ reason, evidence, payment_id, is_silent }) => {
        const waits = await decide.mutateAsync({
          reason: reason.trim(),
          evidence: evidence.trim(),
          payment_id: payment_id.trim(),
          is_silent,
        });
        toast(waits ? 'A second operator must approve.' : done, 'success');
        if (!waits) onDone?.();
      }}
      confirmLabel={label}
      tone={tone}
    >
      <p>
        <strong>{decision.what}</strong>
        {decision.merchant === null ? null : `, ${decision.merchant.name}`}
      </p>
      {asks === 'payment' || payment === null ? null : (
        <p>
          Payment <Id value={payment} />
        </p>
      )}
      <p>{text}</p>
      <ReasonField control={form.control} name="reason" />
      {asks === 'payment' ? (
        <TextField
          control={form.control}
          name="payment_id"
          label="Payment"
          rules={act === 'pay_on' ? {} : { required: 'Enter the ID of the payment.' }}
        />
      ) : null}
      {asks === 'evidence' ? (
        <TextArea
          control={form.control}
          name="evidence"
          label="Evidence"
          description="Proof, such as a letter or a reference, if the bank or the issuer says otherwise."
          rows={2}
          isRequired={false}
        />
      ) : null}
      {act === 'fail' ? (
        <CheckboxField
          control={form.control}
          name="is_silent"
          label="The bank no longer responds about this payment"
          isRequired={false}
        />
      ) : null}
    </FormDialog>
  );
}
