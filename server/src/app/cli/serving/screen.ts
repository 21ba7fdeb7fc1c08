import { typedKey } from '../../../merchants/sign-in/authenticator.ts';
import { VERSION } from '../../../platform/config/config.ts';
import type { Running } from '../../wiring/assemble.ts';
import type { SandboxFile } from '../../wiring/sandbox-merchant.ts';

const REMOVED = 'none: the sandbox’s operator was removed';

/** Returns the screen of `npm start`: what runs where, the key, a link that signs in once, and a command to paste. */
export function startScreen(running: Running, file: SandboxFile, signInUrl: string): string {
  const { config, sandbox } = running;
  const now = sandbox?.clock.now().toString({ smallestUnit: 'second' }) ?? '';
  return `
  Recollect ${VERSION} is ready (sandbox)

    API         ${config.baseUrl}/api/v1
    Guides      ${config.baseUrl}/docs/guides
    Reference   ${config.baseUrl}/docs
    Dashboard   ${file.dashboard_url}
    Portal      ${file.portal_url}/<link>
    Bank app    ${file.bank_url}
    Issuer      ${file.issuer_url}
    Operators   ${file.operator_url}/admin/v1
    Metrics     ${file.operator_url}/metrics
    Database    ${config.databaseUrl === null ? `embedded, in ${config.dataDir}` : 'DATABASE_URL'}
    Clock       ${now}

    Merchant    ${file.merchant_id}
    API key     ${file.api_key}
    Operator    ${file.operator_key ?? REMOVED}
    Second one  ${file.second_operator_key ?? REMOVED}

  Open the dashboard as its owner. This link works once, within 24 hours; for another one:
  npm run recollect -- user link ${file.owner_email}

    ${signInUrl}
${proofLines(file)}
  Create a schedule, then open its consent_url and log in at the bank as "alex" with PIN 1234:

    ${curlLine(config.baseUrl, file.api_key)}

  Or play the customer, and let a month pass:

    npm run recollect -- sandbox consent <schedule id> --decision grant --account alex
    npm run recollect -- sandbox advance P1M

  Act as the first operator; with RECOLLECT_OPERATOR_KEY set to the other key, as the second one:

    npm run recollect -- merchant list

  Forward webhooks to your own receiver, and make one happen:

    npm run recollect -- listen --forward-to http://localhost:3000/webhooks
    npm run recollect -- trigger collection.failed

  Ctrl-C stops everything.
`;
}

/** Returns how the owner proves who they are; nothing where they have chosen their own password. */
function proofLines({ owner_password, owner_authenticator }: SandboxFile): string {
  if (owner_password === null || owner_authenticator === null) return '';
  return `
  What concerns the team, keys and the settlement account asks for the owner's password and a code:

    Password       ${owner_password}
    Authenticator  ${typedKey(owner_authenticator)}
    A code         npm run recollect -- sandbox code
`;
}

/** Returns a curl command that can be pasted into a shell. */
function curlLine(baseUrl: string, apiKey: string): string {
  const body = {
    amount: { value: 4999, currency: 'GBP' },
    frequency: 'monthly',
    customer: { phone: '+447700900123' },
    description: 'Broadband',
  };
  return [
    `curl -s ${baseUrl}/api/v1/schedules`,
    `-H 'Authorization: Bearer ${apiKey}'`,
    `-H 'Content-Type: application/json'`,
    `-d '${JSON.stringify(body)}'`,
  ].join(' ');
}
