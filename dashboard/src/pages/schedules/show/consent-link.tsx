import { QRCodeSVG } from 'qrcode.react';
import { Can } from '../../../app/session.tsx';
import { ExternalLink } from '../../../ui/icons.tsx';
import { LinkButton } from '../../../ui/link-button.tsx';
import { CopyButton } from '../../../ui/values/copy-button.tsx';
import { When } from '../../../ui/values/when.tsx';
import { PlayCustomer } from './play-customer.tsx';
import { Remind } from './remind.tsx';

const QR_SIZE = 168;
/** The quiet zone that the standard requires, in modules. */
const QR_MARGIN = 4;

interface ConsentLinkProps {
  scheduleId: string;
  url: string;
  /** Null while unknown. */
  expiresAt: string | null;
}

/** The link where a customer agrees: to copy, to scan, to open, and in the sandbox to decide on as the customer. */
export function ConsentLink({ scheduleId, url, expiresAt }: ConsentLinkProps) {
  return (
    <div className="consent-link">
      <div className="qr">
        <QRCodeSVG
          value={url}
          size={QR_SIZE}
          marginSize={QR_MARGIN}
          title="QR code of the consent link"
        />
      </div>
      <div className="consent-link-words">
        <code className="consent-url">{url}</code>
        {expiresAt === null ? null : (
          <p className="quiet">
            The link works until the customer decides, or until{' '}
            <When at={expiresAt} as="datetime" />.
          </p>
        )}
        <div className="actions">
          <CopyButton value={url} label="Copy link" />
          <LinkButton href={url} isNewTab>
            <ExternalLink aria-hidden="true" /> Open
          </LinkButton>
          <Can do="manage_schedules">
            <Remind scheduleId={scheduleId} />
          </Can>
          <Can do="use_sandbox">
            <PlayCustomer scheduleId={scheduleId} />
          </Can>
        </div>
      </div>
    </div>
  );
}
