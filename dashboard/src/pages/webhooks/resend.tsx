import { useResend } from '../../api/webhooks.ts';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-text.ts';
import { toast } from '../../ui/overlays/toast.tsx';

interface Props {
  eventId: string;
  /** Absent: to all that should have the event. */
  endpointId?: string;
  label: string;
}

/** Resends an event under the same id: receivers that already have it recognise it. */
export function Resend({ eventId, endpointId, label }: Props) {
  const resend = useResend(eventId);
  const send = () =>
    resend.mutate(endpointId, {
      onSuccess: () => toast('Resending.', 'success'),
      onError: (error) => toast(errorText(error).advice, 'danger'),
    });
  return (
    <Button isPending={resend.isPending} onPress={send}>
      {label}
    </Button>
  );
}
