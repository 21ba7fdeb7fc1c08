import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { show } from '../session/output.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./requests-work.ts');

/** Adds `request`: what takes two operators. */
export function addRequests(root: Command, config: () => Config): void {
  const request = root.command('request').description('what takes two operators');
  request
    .command('list')
    .description('list what waits for a second operator')
    .option('--all', 'include what was agreed with, taken back or has expired')
    .action(async (options: { all?: true }) =>
      show(await (await work()).listRequestsCommand(config(), options)),
    );
  for (const [verb, about] of [
    ['agree', 'agree with a request, as a second operator with their own key; it is done at once'],
    ['take-back', 'take back a request that waits'],
  ] as const)
    request
      .command(`${verb} <request_id>`)
      .description(about)
      .requiredOption('--reason <text>', 'why; kept in the audit trail')
      .action(async (id: string, { reason }: { reason: string }) =>
        show(await (await work()).decideRequestCommand(config(), verb, id, reason)),
      );
  request
    .command('release-pay-outs <merchant_id>')
    .description('ask for the release of pay-outs that only two operators release')
    .requiredOption('--reason <text>', 'why; kept in the audit trail')
    .action(async (merchantId: string, { reason }: { reason: string }) =>
      show(await (await work()).askReleaseCommand(config(), merchantId, reason)),
    );
}
