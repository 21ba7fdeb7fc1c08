import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Mail } from 'lucide-react';
import { remindCustomer } from '../../api/schedules.ts';
import { renew } from '../../app/query-client.ts';
import { Button } from '../../ui/button.tsx';
import { errorText } from '../../ui/error-text.ts';
import { toast } from '../../ui/toast.tsx';

/** Sends the customer the consent link by email. */
export function Remind({ scheduleId }: { scheduleId: string }) {
  const queries = useQueryClient();
  const reminder = useMutation({
    mutationFn: () => remindCustomer(scheduleId),
    onSuccess: ({ is_sent: isSent }) =>
      toast(
        isSent
          ? 'The customer gets the link by email.'
          : 'This service has no mail server, so the email is kept in the mailbox.',
        'success',
      ),
    onError: (error) => toast(errorText(error).advice, 'danger'),
    onSettled: () => renew(queries),
  });
  return (
    <Button onPress={() => reminder.mutate()} isPending={reminder.isPending}>
      <Mail aria-hidden="true" />
      Email the link
    </Button>
  );
}
