// Mutation testing: what is broken on purpose and breaks no test is a missing test. `npm run mutation` takes all pure files,
// `npm run mutation -- retry-plan` those whose path contains that word, `-- sql` the SQL of the ledger, and `-- simulation`
// plants defects that the simulation has to notice.
import { mutatePure } from './mutation/pure.ts';
import { mutateForSimulation } from './mutation/simulation.ts';
import { mutateSql } from './mutation/sql.ts';

const [way, ...words] = process.argv.slice(2);
const ways: Readonly<Record<string, () => Promise<boolean>>> = {
  sql: () => mutateSql(words),
  simulation: mutateForSimulation,
};
const isGood = await (ways[way ?? ''] ?? (() => mutatePure(process.argv.slice(2))))();
process.exitCode = isGood ? 0 : 1;
