import { enableCompileCache } from 'node:module';
import { dropForeignEnvironment } from './platform/network/foreign-environment.ts';

// Whoever read our output may have gone: what is said then is lost, and nothing else.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
enableCompileCache(); // a second start is quicker by what need not be compiled again
dropForeignEnvironment(process.env);
const { runProgram } = await import('./app/cli/run-program.ts');
await runProgram(process.env, process.argv.slice(2));
