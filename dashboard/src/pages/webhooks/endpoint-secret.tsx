import { CodeBlock } from '../../ui/values/code-block.tsx';
import { SecretOnce } from '../developers/secret-once.tsx';

const VERIFY = `import { verifyWebhook } from '@recollect/sdk';

const webhook = await verifyWebhook({
  payload: await request.text(), // the raw body
  headers: request.headers,
  secret: process.env.RECOLLECT_WEBHOOK_SECRET ?? '',
});`;

const VERIFY_BOTH = `import { verifyWebhook } from '@recollect/sdk';

const webhook = await verifyWebhook({
  payload: await request.text(), // the raw body
  headers: request.headers,
  secret: [oldSecret, newSecret], // both, until the new one is active
});`;

const NEXT_STEPS =
  'Make sure your receiver accepts both secrets, then activate the new one. ' +
  'Until then, or for 24 hours, we keep signing with the old one.';

interface Props {
  title: string;
  /** Null: closed. */
  secret: string | null;
  /** It replaces another secret, which signs until this one is activated. */
  isNext?: boolean;
  onClose: () => void;
}

/** The secret of an endpoint, shown only once, and how to verify with it. */
export function EndpointSecret({ title, secret, isNext = false, onClose }: Props) {
  return (
    <SecretOnce title={title} noun="secret" secret={secret} onClose={onClose}>
      <p>
        {isNext
          ? NEXT_STEPS
          : 'Every webhook is signed with it. Verify each one before you act on it:'}
      </p>
      <CodeBlock label="Verify a webhook" code={isNext ? VERIFY_BOTH : VERIFY} />
    </SecretOnce>
  );
}
