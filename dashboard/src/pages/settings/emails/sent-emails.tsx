import { useState } from 'react';
import { type NoticeItem, previewAddress, useNotices } from '../../../api/notices.ts';
import { Button } from '../../../ui/button.tsx';
import type { Column } from '../../../ui/data/data-table.tsx';
import { Empty } from '../../../ui/data/empty.tsx';
import { ListCard } from '../../../ui/data/list-card.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { When } from '../../../ui/values/when.tsx';
import { EmailDialog } from './email-dialog.tsx';

function columns(onRead: (email: NoticeItem) => void): Column<NoticeItem>[] {
  return [
    {
      header: 'Subject',
      cell: ({ subject, by }) => (
        <span className="email-kind">
          <span>{subject}</span>
          {by === 'text' ? <span className="quiet small">Text message</span> : null}
        </span>
      ),
    },
    { header: 'To', cell: ({ to }) => to.address },
    {
      header: 'Status',
      cell: ({ status, error }) => (
        <span className="email-kind">
          <StatusBadge status={status} of="email" />
          {error === null ? null : <span className="quiet small">{error}</span>}
        </span>
      ),
    },
    { header: 'When', cell: ({ created_at }) => <When at={created_at} /> },
    {
      header: 'Action',
      align: 'end',
      cell: (email) => (
        <Button
          size="small"
          aria-label={`Read: ${email.subject}, to ${email.to.address}`}
          onPress={() => onRead(email)}
        >
          Read
        </Button>
      ),
    },
  ];
}

interface SentProps {
  isSent: boolean;
  isTexted: boolean;
}

function leadOf({ isSent, isTexted }: SentProps): string {
  if (isSent)
    return `Every email${isTexted ? ' and text message' : ''} to your customers and your team, newest first.`;
  const texts = isTexted ? ' Text messages to your customers are sent.' : '';
  return `This service has no mail server, so emails are kept here and not sent.${texts}`;
}

/** The mailbox: every email and text message, sent or kept. */
export function SentEmails(props: SentProps) {
  const [shown, setShown] = useState<NoticeItem | null>(null);
  return (
    <ListCard
      title="Mailbox"
      lead={leadOf(props)}
      query={useNotices()}
      columns={columns(setShown)}
      empty={<Empty title="No emails yet">Emails appear here once they are sent.</Empty>}
    >
      {shown === null ? null : (
        <EmailDialog
          title={shown.title}
          subject={shown.subject}
          text={shown.by === 'text' ? null : shown.lines.join('\n\n')}
          textMessage={shown.by === 'text' ? shown.lines.join(' ') : null}
          address={previewAddress(shown.id)}
          onClose={() => setShown(null)}
        />
      )}
    </ListCard>
  );
}
