import '../frame/settings.css';
import { useState } from 'react';
import { type KindItem, kindAddress, useNoticeKinds, useSwitchKind } from '../../../api/notices.ts';
import { Can, useCan } from '../../../app/session.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { type Column, DataTable } from '../../../ui/data/data-table.tsx';
import { QueryView } from '../../../ui/data/query-view.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { toast } from '../../../ui/overlays/toast.tsx';
import { Page } from '../../../ui/page.tsx';
import { SettingsNav } from '../frame/settings-nav.tsx';
import { DaysAhead } from './days-ahead.tsx';
import { EmailDialog } from './email-dialog.tsx';
import { SentEmails } from './sent-emails.tsx';

function Switch({ kind }: { kind: KindItem }) {
  const mayChange = useCan('manage_settings');
  const change = useSwitchKind();
  if (!kind.is_optional) return <span className="quiet nowrap">Always sent</span>;
  const flip = async (isOn: boolean) => {
    try {
      await change.mutateAsync({ kind: kind.kind, isOn });
      toast(isOn ? 'Turned on.' : 'Turned off.', 'success');
    } catch (error) {
      toast(errorText(error).advice, 'danger');
    }
  };
  return (
    <input
      type="checkbox"
      aria-label={`Send this email: ${kind.title}`}
      checked={kind.is_on}
      disabled={!mayChange || change.isPending}
      onChange={(event) => void flip(event.target.checked)}
    />
  );
}

function columns(onPreview: (kind: KindItem) => void): Column<KindItem>[] {
  return [
    {
      header: 'Email',
      cell: ({ title, about }) => (
        <span className="email-kind">
          <strong>{title}</strong>
          <span className="quiet small">{about}</span>
        </span>
      ),
    },
    { header: 'Sent to', cell: ({ readers }) => <span className="nowrap">{readers}</span> },
    {
      header: 'Sent',
      cell: (kind) => (
        <span className="email-kind">
          <Switch kind={kind} />
          {kind.days_ahead === null ? null : <DaysAhead kind={kind} days={kind.days_ahead} />}
        </span>
      ),
    },
    {
      header: 'Action',
      align: 'end',
      cell: (kind) => (
        <Button size="small" aria-label={`Preview: ${kind.title}`} onPress={() => onPreview(kind)}>
          Preview
        </Button>
      ),
    },
  ];
}

interface KindsProps {
  title: string;
  lead: string;
  kinds: readonly KindItem[];
  /** Whether customers may get it as a text message. */
  isTexted: boolean;
}

function Kinds({ title, lead, kinds, isTexted }: KindsProps) {
  const [shown, setShown] = useState<KindItem | null>(null);
  return (
    <Card title={title} lead={lead} isFlush>
      <DataTable
        label={title}
        rows={kinds}
        rowKey={({ kind }) => kind}
        columns={columns(setShown)}
      />
      {shown === null ? null : (
        <EmailDialog
          title="Preview"
          {...shown.preview}
          textMessage={isTexted ? shown.text_message : null}
          address={kindAddress(shown.kind)}
          onClose={() => setShown(null)}
        />
      )}
    </Card>
  );
}

/** Says whom they reach, and how. */
function toCustomers({ isSent, isTexted }: { isSent: boolean; isTexted: boolean }): string {
  const off =
    '“You agreed” and “It has ended” are on, because customers need them. The others are off until you turn them on.';
  if (!isTexted) return `${off} They go to customers whose email address you have given.`;
  if (!isSent) return `${off} They go as text messages to customers with a mobile number.`;
  const others = 'and as text messages to others with a mobile number';
  return `${off} They go by email to customers whose address you have given, ${others}.`;
}

/** /settings/emails */
export function EmailsPage() {
  const kinds = useNoticeKinds();
  return (
    <Page title="Emails" lead="What we tell your customers and your team.">
      <SettingsNav />
      <QueryView query={kinds}>
        {({ kinds: all, is_sent: isSent, is_texted: isTexted }) => (
          <div className="stack">
            <Kinds
              title="To your customers"
              isTexted={isTexted}
              lead={toCustomers({ isSent, isTexted })}
              kinds={all.filter((kind) => kind.is_for_customers)}
            />
            <Kinds
              title="To your team"
              isTexted={false}
              lead="Changes apply from the next email on."
              kinds={all.filter((kind) => !kind.is_for_customers)}
            />
            <Can do="manage_settings">
              <SentEmails isSent={isSent} isTexted={isTexted} />
            </Can>
          </div>
        )}
      </QueryView>
    </Page>
  );
}
