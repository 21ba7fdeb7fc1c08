import { Notice } from '../../../ui/notice.tsx';
import { Secret } from '../../../ui/values/copy-button.tsx';
import { When } from '../../../ui/values/when.tsx';

/** A link that is shown only once, to copy and pass on. */
export function SecretLink({ url, expiresAt }: { url: string; expiresAt: string }) {
  return (
    <>
      <Secret value={url} label="Copy link" />
      <Notice tone="warning">
        This link will not be shown again. Anyone who has it can use it, so send it over a channel
        you trust. It works once, until <When at={expiresAt} />.
      </Notice>
    </>
  );
}
