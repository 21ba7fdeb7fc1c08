import type { Command } from 'commander';
import type { Config } from '../../../platform/config/config.ts';
import { print, say } from '../session/output.ts';

/** Loads, on demand, the commands that need the books. */
const work = async () => await import('./archive-work.ts');

/** What is no line of data goes to stderr, so that the output can be read by a program. */
const note = (line: string): void => void process.stderr.write(`${line}\n`);

/** Adds `archive`: history that is over, in files. */
export function addArchive(root: Command, config: () => Config): void {
  const archive = root.command('archive').description('history that is over, moved to files');
  archive
    .command('run')
    .description('move what is over and older than some months to compressed files')
    .requiredOption(
      '--months <number>',
      'how many whole months stay in the database, at least 3',
      Number,
    )
    .requiredOption('--folder <path>', 'where the files go: on a disk that is backed up')
    .action(async (options: { months: number; folder: string }) =>
      say(await (await work()).runCommand(config(), options, print)),
    );
  archive
    .command('list')
    .description(
      'list what was archived: month, rows, by whom, when, where, digest of the manifest',
    )
    .action(async () => {
      for (const line of await (await work()).listCommand(config())) print(line);
    });
  archive
    .command('show <id>')
    .description(
      'print the archived rows of a payment, settlement, schedule, event, notice or customer as JSON',
    )
    .option('--month <month>', 'look only at one month, such as 2025-03')
    .action(async (id: string, { month }: { month?: string }) => {
      const { line, isDone } = await (await work()).showCommand(config(), id, month, print);
      if (isDone) note(line);
      else say({ line, isDone });
    });
  archive
    .command('verify')
    .description('read every file of the archive and compare it with its digest')
    .action(async () => say(await (await work()).verifyCommand(config())));
}
