/** The values inserted into the snippets. */
export interface SnippetParts {
  baseUrl: string;
  /** The key, or a placeholder. */
  key: string;
}

/** Returns a first request that can be run unchanged. */
export function curlSnippet({ baseUrl, key }: SnippetParts): string {
  return `curl ${baseUrl}/api/v1/schedules \\
  -H 'Authorization: Bearer ${key}' \\
  -H 'Content-Type: application/json' \\
  -H "Idempotency-Key: $(date +%s)" \\
  -d '{
    "amount": { "value": 4999, "currency": "GBP" },
    "frequency": "monthly",
    "customer": { "type": "phone", "value": "+447700900123" },
    "description": "Broadband"
  }'`;
}

/** Returns the same request with the TypeScript client. */
export function clientSnippet({ baseUrl, key }: SnippetParts): string {
  return `import { Recollect } from '@recollect/sdk';

const recollect = new Recollect({
  apiKey: '${key}', // keep it in your environment, never in the code
  baseUrl: '${baseUrl}',
});

const schedule = await recollect.schedules.create({
  amount: { value: 4999, currency: 'GBP' }, // pence: £49.99
  frequency: 'monthly',
  customer: { type: 'phone', value: '+447700900123' },
  description: 'Broadband',
});
console.log(schedule.consent_url); // share it with the customer`;
}

/** A webhook receiver that trusts only verified webhooks. */
export const WEBHOOK_SNIPPET = `import { verifyWebhook, WebhookVerificationError } from '@recollect/sdk';

const seen = new Set<string>(); // yours is a table with a unique key

export async function receive(request: Request): Promise<Response> {
  try {
    const webhook = await verifyWebhook({
      payload: await request.text(), // the raw body, before anything parses it
      headers: request.headers,
      secret: process.env.RECOLLECT_WEBHOOK_SECRET ?? '', // whsec_…
    });
    if (!seen.has(webhook.id)) {
      seen.add(webhook.id);
      if (webhook.event === 'collection.success') console.log('paid', webhook.data.payment_id);
    }
    return new Response(null, { status: 200 }); // only 200 acknowledges
  } catch (error) {
    if (error instanceof WebhookVerificationError) return new Response(null, { status: 400 });
    throw error;
  }
}`;

/** Returns a placeholder for a key that is not known here: keys are shown once, when they are created. */
export function placeholderKey(mode: 'sandbox' | 'live', hint: string | undefined): string {
  const prefix = mode === 'sandbox' ? 'rk_test_' : 'rk_live_';
  return `${prefix}…${hint ?? ''}`;
}
