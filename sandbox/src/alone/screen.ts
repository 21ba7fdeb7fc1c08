import { PERSONAS, PIN } from '../bank/behaviour/personas.ts';
import type { Account } from './start.ts';

/** Returns what `recollect-sandbox start` shows: where everything is, and what an initiator is known by. */
export function aloneScreen(account: Account): string {
  const { initiator, banks, back_channel, pages, issuer, statement, bank_org_id } = account;
  const { tls } = initiator;
  const rows: [string, string][] = [
    ['Banks, directory', `${back_channel} (mutual TLS)`],
    ['Pages, bank app', pages],
    ['E-money issuer', issuer],
    ['', ''],
    ['client_id', initiator.client_id],
    ['org_id', initiator.org_id],
    ['software_id', initiator.software_id],
    ['Banks’ org_id', bank_org_id],
    ['Authority', tls.ca],
    ['Certificate, key', `${tls.client.cert} ${tls.client.key}`],
    ['Signing key', initiator.signing_key],
    ['Statement', statement],
    ['Issuer’s key, secrets', 'initiator.json, beside the certificates'],
  ];
  return [
    '  The sandbox is ready',
    '',
    ...rows.map(([name, value]) => `    ${name.padEnd(22)}${value}`.trimEnd()),
    '',
    ...banks.map(({ bank_id, summary }) => `    ${bank_id.padEnd(22)}${summary}`),
    '',
    `  Customers sign in as ${PERSONAS[0]?.login}, or another persona, with the PIN ${PIN}.`,
    '',
  ].join('\n');
}
