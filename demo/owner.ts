import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { MAIN, type SandboxProcess } from './sandbox-process.ts';

const run = promisify(execFile);

/** Turns on a kind of email to customers, as an owner does in the dashboard. Signs in with a link of the command line. */
export async function turnOnEmail(sandbox: SandboxProcess, kind: string): Promise<void> {
  const { stdout } = await run(process.execPath, [MAIN, 'user', 'link', sandbox.ownerEmail], {
    env: sandbox.env,
  });
  const link = new URL((JSON.parse(stdout) as { url: string }).url);
  // The port is chosen at the start: the command line does not know it.
  const origin = sandbox.baseUrl;
  const entered = await fetch(`${origin}${link.pathname}`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ token: link.searchParams.get('token') ?? '' }),
    redirect: 'manual',
  });
  const cookie = entered.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  const changed = await fetch(`${origin}/dashboard/api/notices/kinds/${kind}`, {
    method: 'PUT',
    headers: {
      origin,
      cookie,
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
    },
    body: JSON.stringify({ is_on: true }),
  });
  if (!changed.ok) throw new Error(`the email could not be turned on: ${await changed.text()}`);
}
