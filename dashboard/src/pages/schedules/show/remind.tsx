import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type Reminded, remindCustomer } from '../../../api/schedules.ts';
import { renew } from '../../../app/query-client.ts';
import { Button } from '../../../ui/button.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { Mail } from '../../../ui/icons.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';

const sentence = ({ is_sent: isSent, by }: Reminded): string => {
  if (!isSent) return 'This service has no mail server, so the email is kept in the mailbox.';
  return `The customer gets the link by ${by === 'text' ? 'text message' : 'email'}.`;
};

/** Sends the customer the consent link, by email or text message. */
export function Remind({ scheduleId }: { scheduleId: string }) {
  const queries = useQueryClient();
  const reminder = useMutation({
    mutationFn: () => remindCustomer(scheduleId),
    onSuccess: (reminded) => toast(sentence(reminded), 'success'),
    onError: (error) => toast(errorText(error).advice, 'danger'),
    onSettled: () => renew(queries),
  });
  return (
    <Button onPress={() => reminder.mutate()} isPending={reminder.isPending}>
      <Mail aria-hidden="true" />
      Send the link
    </Button>
  );
}
