import { Argument, type Command, Option } from 'commander';
import { type Config, ConfigError } from '../../../platform/config/config.ts';
import type { Forwarded } from '../../../sandbox/listen.ts';
import { show } from '../session/output.ts';
import { showProgress } from './progress.ts';
import { callSandbox, ownerProof } from './sandbox.ts';
import { TRIGGERED_EVENTS, trigger } from './trigger.ts';

/** Adds `sandbox`, `user link`, `listen` and `trigger`: commands for the running sandbox. */
export function addSandbox(root: Command, config: () => Config): void {
  const sandbox = root
    .command('sandbox')
    .description('the running sandbox: its clock and its customers');
  sandbox
    .command('clock')
    .description("show the sandbox's time")
    .action(async () => show(await callSandbox(config(), (client) => client.sandbox.clock())));
  sandbox
    .command('advance <by-or-to>')
    .description(
      'move the clock forward, by a duration (P1M, PT6H) or to a moment (2027-01-01T09:00:00Z)',
    )
    .action(async (text: string) => {
      const move = text.startsWith('P') ? { by: text } : { to: text };
      show(
        await callSandbox(config(), (client) =>
          client.sandbox.advance(move, { onProgress: showProgress(process.stderr) }),
        ),
      );
    });
  sandbox
    .command('consent <schedule_id>')
    .description('act as the customer on the portal and at the bank')
    .addOption(
      new Option('--decision <decision>', 'what the customer says')
        .choices(['grant', 'deny'])
        .default('grant'),
    )
    .option('--account <name>', 'who the customer is at the bank', 'alex')
    .option('--bank <bank_id>')
    .action(async (id: string, o: { decision: string; account: string; bank?: string }) =>
      show(
        await callSandbox(config(), (client) =>
          client.sandbox.consent(id, {
            decision: o.decision === 'deny' ? 'deny' : 'grant',
            account: o.account,
            ...(o.bank === undefined ? {} : { bank_id: o.bank }),
          }),
        ),
      ),
    );
  sandbox
    .command('accounts')
    .description('list the accounts at the sandbox banks, and how each behaves')
    .action(async () => show(await callSandbox(config(), (client) => client.sandbox.accounts())));
  sandbox
    .command('mail [address]')
    .description('show the latest emails that a live service would send, with their links')
    .action(async (address?: string) => {
      const { sandboxMailCommand } = await import('./mail-work.ts');
      show(await sandboxMailCommand(config(), address));
    });
  sandbox
    .command('code')
    .description("show the owner's password, and a code of their authenticator, which counts once")
    .action(() => show(ownerProof(config())));
  root
    .command('user')
    .description("the people of merchants' teams")
    .command('link <email>')
    .description('in the sandbox: create a one-time sign-in link, valid for 24 hours')
    .action(async (email: string) => {
      const { createLinkCommand } = await import('./link-work.ts');
      show(await createLinkCommand(config(), email));
    });
  addListen(root, config);
  addTrigger(root, config);
}

function addListen(root: Command, config: () => Config): void {
  root
    .command('listen')
    .description("forward the running sandbox's webhooks to a URL, until Ctrl-C")
    .requiredOption('--forward-to <url>', 'where to, such as http://localhost:3000/webhooks')
    .option('--events <kinds>', 'a comma-separated list of events; default: all')
    .action(async ({ forwardTo: given, events }: { forwardTo: string; events?: string }) => {
      const { forwardUrl, kindsOf, listen } = await import('../../../sandbox/listen.ts');
      const forwardTo = forwardUrl(given);
      if (forwardTo === null)
        throw new ConfigError('--forward-to must be an http or https URL, or localhost:4242');
      const kinds = kindsOf(events);
      if ('unknown' in kinds) throw new ConfigError(`no such event: ${kinds.unknown.join(', ')}`);
      await callSandbox(config(), async (client) => {
        const listening = await listen({ client, forwardTo, ...kinds, report });
        const interrupted = new Promise((done) => {
          process.once('SIGINT', done);
          process.once('SIGTERM', done);
        });
        process.stdout.write(
          `Forwarding webhooks to ${forwardTo}. Their secret, until you stop:\n${listening.secret}\n`,
        );
        await interrupted;
        await listening.close();
      });
    });
}

function report({ event, eventId, status, ms, problem }: Forwarded): void {
  process.stdout.write(`${event}  ${eventId}  ${status ?? `no answer: ${problem}`}  ${ms} ms\n`);
}

function addTrigger(root: Command, config: () => Config): void {
  root
    .command('trigger')
    .description('make an event happen in the running sandbox, by what causes it')
    .addArgument(new Argument('<event>', 'the kind of event').choices(TRIGGERED_EVENTS))
    .action(async (event: string) => {
      const kind = TRIGGERED_EVENTS.find((one) => one === event);
      if (kind === undefined) return;
      const { eventId, scheduleId, note } = await callSandbox(config(), (client) =>
        trigger(client, kind),
      );
      show({
        event,
        event_id: eventId,
        schedule_id: scheduleId,
        ...(note === null ? {} : { note }),
      });
      if (eventId === null) throw new ConfigError(`${event} did not happen within a minute`);
    });
}
