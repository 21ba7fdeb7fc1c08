// Mutation testing: what is broken on purpose and breaks no test is a missing test. `npm run mutation` takes all pure files,
// `npm run mutation -- retry-plan` those whose path contains that word, `-- sql` the SQL of the ledger, and `-- simulation`
// plants defects that the simulation has to notice.
import { mutatePure } from './mutation/pure.ts';
import { mutateForSimulation } from './mutation/simulation.ts';
import { mutateSql } from './mutation/sql.ts';

const words = process.argv.slice(2);
const ways: Readonly<Record<string, () => Promise<boolean>>> = {
  sql: mutateSql,
  simulation: mutateForSimulation,
};
const isGood = await (ways[words[0] ?? ''] ?? (() => mutatePure(words)))();
process.exitCode = isGood ? 0 : 1;
