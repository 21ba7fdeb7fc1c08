import { type Command, Option } from 'commander';
import type { Env } from '../../../platform/config/readers.ts';
import { screenWidth, show } from '../session/output.ts';
import { callOperation, type Given } from './call.ts';
import { type AdminDocument, type ApiCommand, type ApiOption, commandsOf } from './document.ts';
import { answerLines } from './print.ts';

/** Adds the commands of the operators' API, as its document has them, beside those that are there. */
export function addServiceCommands(root: Command, env: Env, document: AdminDocument): void {
  for (const command of commandsOf(document)) addCommand(root, env, document, command);
}

function addCommand(root: Command, env: Env, document: AdminDocument, api: ApiCommand): void {
  const verb = api.words.at(-1) ?? '';
  const args = api.args.map(({ shown }) => ` <${shown}>`).join('');
  const command = groupOf(root, api)
    .command(verb + args)
    .summary(api.summary)
    .description(`${api.summary}. ${api.about}`)
    .option('--json', 'print the body of the answer as JSON');
  const options = api.options.map((field) => ({ field, option: commanderOption(field) }));
  for (const { option } of options) command.addOption(option);
  command.action(async () => {
    const values = command.opts<Record<string, unknown>>();
    const given: Given = new Map(
      options.flatMap(({ field, option }) => {
        const value = values[option.attributeName()];
        return value === undefined ? [] : [[field, sentValue(field, value)] as const];
      }),
    );
    const { keyFile } = root.opts<{ keyFile?: string }>();
    const body = await callOperation(document, api, { env, keyFile, args: command.args, given });
    if (values.json === true) show(body);
    else for (const line of answerLines(body, screenWidth())) process.stdout.write(`${line}\n`);
    if (api.method !== 'GET') printNextStep(body);
  });
}

/** Returns the command of a noun, which the first of its verbs makes. */
function groupOf(root: Command, { words, tag }: ApiCommand): Command {
  const [noun = '', ...verbs] = words;
  if (verbs.length === 0) return root;
  const known = root.commands.find((command) => command.name() === noun);
  return known ?? root.command(noun).description(tag.toLowerCase());
}

function commanderOption({ flag, kind, about, choices, isRequired, takesNone }: ApiOption): Option {
  const placeholder = flag.split('-').at(-1) ?? '';
  const value = { switch: '', list: ` <${placeholder}...>` }[kind as 'switch' | 'list'];
  const option = new Option(`--${flag}${value ?? ` <${placeholder}>`}`, about);
  if (choices !== null) option.choices(takesNone ? [...choices, 'none'] : choices);
  return option.makeOptionMandatory(isRequired);
}

/** Returns what is sent. What is no number is sent as it is: the service refuses it by its name. */
function sentValue({ kind, takesNone }: ApiOption, value: unknown): unknown {
  if (takesNone && [value].flat().join() === 'none') return null;
  return kind === 'number' && /^-?\d+$/.test(String(value)) ? Number(value) : value;
}

/** Says on the standard error what a second operator does about a request that now waits. */
function printNextStep(body: unknown): void {
  const { request = body } = body as { request?: unknown };
  const { id, status } = (request ?? {}) as { id?: unknown; status?: unknown };
  if (status !== 'pending' || !String(id).startsWith('orq_')) return;
  process.stderr.write(
    `It waits for a second operator, in the console or with: recollect request agree ${id} --reason "…"\n`,
  );
}
