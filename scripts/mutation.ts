// Mutation testing: a deliberate defect that fails no test means a missing test. `npm run mutation` tests all pure files, `npm
// run mutation -- retry-plan` those whose path contains that word, `-- sql` the SQL of the ledger, and `-- simulation` plants
// defects that the simulation must detect.
import { program } from './arguments.ts';
import { mutatePure } from './mutation/pure.ts';
import { mutateForSimulation } from './mutation/simulation.ts';
import { mutateSql } from './mutation/sql.ts';

const words = program(
  'mutation',
  'Breaks the code on purpose: what breaks no test is a missing test.',
)
  .argument('[words...]', 'pure files whose path contains one of them; or sql; or simulation')
  .parse().args;
const [way, ...rest] = words;
const ways: Readonly<Record<string, () => Promise<boolean>>> = {
  sql: () => mutateSql(rest),
  simulation: () => mutateForSimulation(rest),
};
const isGood = await (ways[way ?? ''] ?? (() => mutatePure(words)))();
process.exitCode = isGood ? 0 : 1;
