// Agents that time out, forget, repeat, plan again, make two calls at once and obey planted text, over the tools of MCP and over
// plain requests: `node simulation/agents/main.ts --runs 10000 --seed 1`. Exit code 0 only if the tools prevented it all.
import { parseArgs } from 'node:util';
import { useSharedServer } from '../../server/test-support/shared-server.ts';
import { type Found, simulateAgents } from './runs.ts';

const LINE_EVERY = 500;

const { values } = parseArgs({
  options: {
    runs: { type: 'string', default: '1000' },
    plain: { type: 'string', default: '1000' },
    seed: { type: 'string', default: '1' },
  },
});

async function simulated(name: string, runs: number, plain: boolean): Promise<Found> {
  const began = performance.now();
  const note = (done: number): void => {
    if (done % LINE_EVERY === 0) console.log(`${name}: ${done} of ${runs}`);
  };
  const found = await simulateAgents({ runs, seed: values.seed, plain, note });
  const seconds = ((performance.now() - began) / 1000).toFixed(0);
  console.log(`${name}, seed ${values.seed}, ${seconds} s: ${JSON.stringify(found)}`);
  return found;
}

const server = await useSharedServer();
try {
  process.env.RECOLLECT_TEST_POSTGRES ??= server.url;
  const tools = await simulated('tools', Number(values.runs), false);
  if (Number(values.plain) > 0) await simulated('plain requests', Number(values.plain), true);
  const { doubled, beyond, unattributed } = tools;
  if (doubled.errands + beyond.act + beyond.day + unattributed > 0) process.exitCode = 1;
} finally {
  await server.leave(true);
}
