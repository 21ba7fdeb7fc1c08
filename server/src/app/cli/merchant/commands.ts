import { styleText } from 'node:util';
import {
  type List,
  type Recollect,
  RecollectNotFoundError,
  RecollectPermissionError,
} from '@recollect/sdk';
import { Argument, type Command, InvalidArgumentError, Option } from 'commander';
import { DEFAULT_SETTINGS } from '../../../merchants/merchant.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import {
  callMerchant,
  type MerchantAccess,
  type Surroundings,
  withAccess,
} from '../client/merchant-access.ts';
import { answerLines } from '../client/print.ts';
import { showProgress } from '../sandbox/progress.ts';
import { print, screenWidth, show } from '../session/output.ts';
import { completionScript, SHELLS } from './completion.ts';
import {
  movedLines,
  paymentLines,
  paymentRow,
  type Shown,
  type Style,
  scheduleLines,
  scheduleRow,
  settlementRow,
} from './rows.ts';

type Options = MerchantAccess & { json?: true } & Record<string, unknown>;

/** A list of the API as a command. */
interface Listing<T> {
  noun: string;
  about: string;
  options: readonly Option[];
  read: (client: Recollect, query: Record<string, string>) => Promise<List<T>>;
  row: (item: T, style: Style) => Shown;
}

/** One object of the API as a command. */
interface Showing<T> {
  noun: string;
  argument: string;
  read: (client: Recollect, id: string) => Promise<T>;
  lines: (item: T, style: Style) => Shown;
}

const MOST = 100;
const DEFAULT_LIMIT = '20';
const STATUSES = ['pending', 'processing', 'success', 'failed'];

const status = (choices: readonly string[]): Option =>
  new Option('--status <status>', 'only those that stand so').choices(choices);
const from = new Option(
  '--from <moment>',
  'only from this moment on, such as 2026-01-01T00:00:00Z',
);
const to = new Option('--to <moment>', 'only before this moment');
const words = new Option('--q <text>', 'only what this text finds, as in the dashboard');

/** Adds the commands for a merchant's developers: `schedules`, `payments`, `settlements`, `advance`, `completion`. */
export function addMerchantCommands(root: Command, around: Surroundings): void {
  addList(root, around, {
    noun: 'schedules',
    about: 'list schedules, the newest first',
    options: [
      status(['pending_consent', 'active', 'paused', 'cancelled', 'failing']),
      new Option('--customer <customer_id>', 'only of this customer'),
      words,
    ],
    read: (client, { customer, ...query }) =>
      client.schedules.list({ ...query, ...(customer && { customer_id: customer }) }),
    row: scheduleRow,
  });
  addShow(root, around, {
    noun: 'schedules',
    argument: 'schedule_id',
    read: (client, id) => client.schedules.get(id),
    lines: scheduleLines,
  });
  addList(root, around, {
    noun: 'payments',
    about: 'list payments, the newest first',
    options: [
      status(STATUSES),
      new Option('--schedule <schedule_id>', 'only of this schedule'),
      from,
      to,
      words,
    ],
    read: (client, { schedule, ...query }) =>
      client.payments.list({ ...query, ...(schedule && { schedule_id: schedule }) }),
    row: paymentRow,
  });
  addShow(root, around, {
    noun: 'payments',
    argument: 'payment_id',
    read: (client, id) => client.payments.get(id),
    lines: paymentLines,
  });
  addList(root, around, {
    noun: 'settlements',
    about: 'list settlements, the newest first',
    options: [status(STATUSES), from, to, words],
    read: (client, query) => client.settlements.list(query),
    row: settlementRow,
  });
  addAdvance(root, around);
  addCompletion(root);
}

/** Returns the command of a noun, which the first of its verbs makes. */
const groupOf = (root: Command, noun: string): Command =>
  root.commands.find((command) => command.name() === noun) ??
  root.command(noun).description(`the merchant's ${noun}, through the API`);

const withOutput = (command: Command): Command =>
  withAccess(command).option('--json', 'print the body of the answer as JSON');

function addList<T>(root: Command, around: Surroundings, listing: Listing<T>): void {
  const { noun, about, options, read, row } = listing;
  const command = withOutput(groupOf(root, noun).command('list').description(about));
  for (const option of options) command.addOption(option);
  command
    .addOption(
      new Option('--limit <number>', `how many to show, at most ${MOST}`)
        .argParser(wholeNumber)
        .default(DEFAULT_LIMIT),
    )
    .action(async ({ json, url, apiKeyFile, ...query }: Options) => {
      await callMerchant(
        around,
        { ...(url && { url }), ...(apiKeyFile && { apiKeyFile }) },
        async (client) => {
          const page = await read(client, query as Record<string, string>);
          if (json === true) return show(page);
          const style = await styleFor(client);
          const data = page.data.map((item) => row(item, style));
          const lines = answerLines({ data }, screenWidth());
          for (const line of lines) print(line);
          const { total = 0 } = page;
          if (total > data.length) print(`${data.length} of ${total}: --limit shows more`);
        },
      );
    });
}

function addShow<T>(root: Command, around: Surroundings, showing: Showing<T>): void {
  const { noun, argument, read, lines } = showing;
  withOutput(
    groupOf(root, noun).command(`show <${argument}>`).description(`show one of the ${noun}`),
  ).action(async (id: string, { json, ...access }: Options) => {
    await callMerchant(around, access, async (client) => {
      const found = await read(client, id).catch((error: unknown) => {
        if (!(error instanceof RecollectNotFoundError)) throw error;
        throw new ConfigError(`${argument}: there is no ${argument.replace('_id', '')} ${id}`);
      });
      if (json === true) return show(found);
      printObject(lines(found, await styleFor(client)));
    });
  });
}

function addAdvance(root: Command, around: Surroundings): void {
  withOutput(
    root
      .command('advance')
      .description("move the sandbox's clock, and say what happened")
      .addArgument(
        new Argument('<by-or-to>', 'a duration (P1M, PT6H), or a moment (2027-01-01T09:00:00Z)'),
      ),
  ).action(async (text: string, { json, ...access }: Options) => {
    await callMerchant(around, access, async (client) => {
      const move = text.startsWith('P') ? { by: text } : { to: text };
      const moved = await client.sandbox.advance(move, {
        onProgress: showProgress(process.stderr),
      });
      if (json === true) return show(moved);
      printObject(movedLines(moved, await styleFor(client)));
    });
  });
}

function addCompletion(root: Command): void {
  root
    .command('completion')
    .description('print the script that lets a shell complete commands and options')
    .addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
    .action((shell: string) => void process.stdout.write(completionScript(shell, root)));
}

function printObject(object: Shown): void {
  for (const line of answerLines(object, screenWidth())) print(line);
}

/** Returns how to show objects: in the merchant's time zone, where the key may read it; in colours on a terminal. */
async function styleFor(client: Recollect): Promise<Style> {
  const timeZone = await client.merchant.get().then(
    (merchant) => merchant.time_zone,
    (error: unknown) => {
      if (error instanceof RecollectPermissionError) return DEFAULT_SETTINGS.timeZone;
      throw error;
    },
  );
  // Not in a pipe, and not where NO_COLOR is set.
  return { timeZone, paint: (colour, text) => styleText(colour, text, { stream: process.stdout }) };
}

function wholeNumber(value: string): string {
  const number = Number(value);
  if (Number.isInteger(number) && number >= 1 && number <= MOST) return value;
  throw new InvalidArgumentError(`It must be a whole number from 1 to ${MOST}.`);
}
