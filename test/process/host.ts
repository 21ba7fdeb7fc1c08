// Runs `recollect` commands one after the other in one process, each with its own settings: loading the program takes much
// longer than most commands.
import { runProgram } from '../../server/src/app/cli/run-program.ts';
import type { Answer, Env } from './recollect.ts';

/** A command to run. */
interface Call {
  env: Env;
  args: readonly string[];
}

const said = { out: '', err: '' };

/** Captures a stream for the result. */
function keep(stream: NodeJS.WriteStream, name: keyof typeof said): void {
  stream.write = (text: string | Uint8Array) => {
    said[name] += String(text);
    return true;
  };
}

function answer(code: number, isOver: boolean): void {
  process.send?.({ ended: { code, ...said }, isOver } satisfies Answer);
}

keep(process.stdout, 'out');
keep(process.stderr, 'err');
process.on('message', async ({ env, args }: Call) => {
  Object.assign(said, { out: '', err: '' });
  process.exitCode = 0;
  await runProgram(env, args);
  answer(Number(process.exitCode), false);
});
// A command may end its process: wrong arguments do so.
process.on('exit', (code) => answer(code, true));
process.on('disconnect', () => process.exit());
