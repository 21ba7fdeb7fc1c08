import { program, wholeNumber } from '../scripts/arguments.ts';
import { overlap } from './overlap.ts';

const ROUNDS = 40;

/** The program of `npm run simulate -- --overlap`; returns its exit code: 0 only if every law held. */
export async function runOverlap(args: readonly string[]): Promise<number> {
  const { seed, rounds } = program('simulate', 'Lets two processes overlap on one PostgreSQL.')
    .requiredOption('--overlap', 'this mode')
    .option('--seed <text>', 'decides where the processes stand still', '42')
    .option('--rounds <n>', 'how often they do', wholeNumber, ROUNDS)
    .parse(args, { from: 'user' })
    .opts<{ seed: string; rounds: number }>();
  const began = performance.now();
  const result = await overlap({ seed, rounds }, (round, about) =>
    console.log(`round ${round}: ${about}`),
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  console.log(`${result.rounds} rounds in ${seconds} s`);
  if (result.broken === null) return 0;
  const { round, about, lines } = result.broken;
  console.error(`broken in round ${round} (${about}):\n  ${lines.join('\n  ')}`);
  console.error(`once more: npm run simulate -- --overlap --seed ${seed} --rounds ${round}`);
  return 1;
}
