import { useState } from 'react';
import { usePortalLink } from '../../../api/schedules.ts';
import { Button } from '../../../ui/button.tsx';
import { errorText } from '../../../ui/error-text.ts';
import { Link2 } from '../../../ui/icons.tsx';
import { Notice } from '../../../ui/notice.tsx';
import { Dialog } from '../../../ui/overlays/dialog.tsx';
import { toast } from '../../../ui/overlays/toast.tsx';
import { CopyButton } from '../../../ui/values/copy-button.tsx';

/** Fetches the link to the customer's page, which is recorded, and shows it to copy. */
export function CustomerLink({ scheduleId }: { scheduleId: string }) {
  const [url, setUrl] = useState<string | null>(null);
  const link = usePortalLink(scheduleId);
  const fetchLink = async () => {
    try {
      setUrl((await link.mutateAsync()).url);
    } catch (error) {
      toast(errorText(error).advice, 'danger');
    }
  };
  return (
    <div className="actions">
      <Button onPress={() => void fetchLink()} isPending={link.isPending}>
        <Link2 aria-hidden="true" />
        Copy the customer’s link
      </Button>
      <Dialog isOpen={url !== null} onClose={() => setUrl(null)} title="The customer’s page">
        <div className="stack">
          <p>
            Here the customer sees what they agreed to, their coming and past payments, and can stop
            the payments.
          </p>
          <code className="consent-url">{url}</code>
          <div className="actions">
            <CopyButton value={url ?? ''} label="Copy link" />
          </div>
          <Notice tone="warning">
            Anyone who has this link can stop the payments, so send it to the customer alone.
          </Notice>
        </div>
      </Dialog>
    </div>
  );
}
