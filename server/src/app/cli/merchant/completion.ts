import type { Command } from 'commander';

/** The shells that can complete. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;

/** What can follow at a place of the command line. */
interface Place {
  /** The words of the command, each behind a slash, `/schedules/list`; and the option, where its values follow. */
  at: string;
  words: readonly string[];
}

/** Returns the places of a command and of those below it: first the words of commands, then the options' values. */
export function placesOf(root: Command): { commands: Place[]; values: Place[] } {
  const commands: Place[] = [];
  const values: Place[] = [];
  const visit = (command: Command, at: string): void => {
    const { visibleCommands, visibleOptions } = seenBy(command);
    const names = visibleCommands.map((one) => one.name());
    const choices = command.registeredArguments.flatMap((one) => one.argChoices ?? []);
    const flags = visibleOptions.flatMap((option) => option.long ?? []);
    commands.push({ at, words: [...names, ...choices, ...flags] });
    for (const { long, argChoices } of visibleOptions)
      if (long && argChoices) values.push({ at: `${at} ${long}`, words: argChoices });
    for (const one of visibleCommands) visit(one, `${at}/${one.name()}`);
  };
  visit(root, '');
  return { commands, values };
}

function seenBy(command: Command) {
  const help = command.createHelp();
  return {
    visibleCommands: help.visibleCommands(command).filter((one) => one.name() !== 'help'),
    visibleOptions: help.visibleOptions(command),
  };
}

type Places = ReturnType<typeof placesOf>;

/** Returns the script of a shell: the commands as they are now, with options and what these can be. */
export function completionScript(shell: string, root: Command): string {
  const places = placesOf(root);
  if (shell === 'fish') return fishScript(places);
  return shell === 'zsh' ? zshScript(places) : bashScript(places);
}

/** What bash and zsh share: `at` becomes the command so far, `offered` what can follow. */
function findingOf({ commands, values }: Places, before: string, last: string): string {
  const pattern = (at: string): string => (at.includes(' ') ? `'${at}'` : `'${at} '*`);
  const known = commands.flatMap(({ at }) => (at === '' ? [] : [at])).join('|');
  const cases = [...values, ...commands].map(
    ({ at, words }) => `    ${pattern(at)}) offered='${words.join(' ')}' ;;`,
  );
  return `  local at='' word offered=''
  for word in "${before}"; do
    case "$at/$word" in
      ${known}) at="$at/$word" ;;
    esac
  done
  case "$at ${last}" in
${cases.join('\n')}
  esac`;
}

const bashScript = (places: Places): string => `_recollect() {
${findingOf(places, `\${COMP_WORDS[@]:1:COMP_CWORD-1}`, `\${COMP_WORDS[COMP_CWORD-1]}`)}
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _recollect recollect
`;

const zshScript = (places: Places): string => `#compdef recollect
_recollect() {
${findingOf(places, `\${(@)words[2,CURRENT-1]}`, `\${words[CURRENT-1]}`)}
  compadd -- \${=offered}
}
compdef _recollect recollect
`;

function fishScript({ commands, values }: Places): string {
  const lines = [...commands, ...values].map(({ at, words }) => {
    const [command = '', option = ''] = at.split(' ');
    const where = `__recollect_at '${command}' '${option}'`;
    return `complete -c recollect -f -n "${where}" -a '${words.join(' ')}'`;
  });
  const known = commands.flatMap(({ at }) => (at === '' ? [] : [`'${at}'`])).join(' ');
  return `function __recollect_at
  set -l at ''
  set -l words (commandline -opc)
  for word in $words[2..]
    if contains -- "$at/$word" ${known}
      set at "$at/$word"
    end
  end
  test "$at" = "$argv[1]"; or return 1
  test -z "$argv[2]"; or test "$words[-1]" = "$argv[2]"
end
${lines.join('\n')}
`;
}
