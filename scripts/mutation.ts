// Mutation testing: what is broken on purpose and breaks no test is a missing test. `npm run mutation` takes all pure files,
// `npm run mutation -- retry-plan` those whose path contains that word, `npm run mutation -- sql` the SQL of the ledger.
import { mutatePure } from './mutation/pure.ts';
import { mutateSql } from './mutation/sql.ts';

const words = process.argv.slice(2);
const isGood = words.includes('sql') ? await mutateSql() : await mutatePure(words);
process.exitCode = isGood ? 0 : 1;
