import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { measured, type Run, untilNothingLeft } from './due.ts';
import type { World } from './world.ts';

/** What an engine in a process of its own is told. */
export type Order = { latencyMs: number } | { stop: true };

/** Engines over one world, each in a process of its own: all have started, and wait for orders. */
export interface Engines extends AsyncDisposable {
  /** Runs what is due with the first `engines` of them, with partners that answer after so long. */
  run(engines: number, latencyMs: number, due: number): Promise<Run>;
}

const FILE = fileURLToPath(new URL('./engine.ts', import.meta.url));
/** As many as `serve` leaves to collections in an engine beside the first, by its default settings. */
const CONNECTIONS = 8;

/** Starts engines over a world, as many as any run needs. They end with the block that started them. */
export async function startEngines(world: World, count: number): Promise<Engines> {
  const children = Array.from({ length: count }, () => fork(FILE, [world.url, `${CONNECTIONS}`]));
  await Promise.all(children.map((child) => once(child, 'message')));
  return {
    async run(engines, latencyMs, due) {
      const working = children.slice(0, engines);
      let cpuSeconds = 0;
      const run = await measured(world, due, async () => {
        for (const child of working) child.send({ latencyMs } satisfies Order);
        await untilNothingLeft(world);
        for (const used of await Promise.all(working.map(stop))) cpuSeconds += used;
      });
      return { ...run, ourCpuMicros: (cpuSeconds * 1_000_000) / due };
    },
    async [Symbol.asyncDispose]() {
      const ended = children.map((child) => once(child, 'exit'));
      for (const child of children) child.disconnect();
      await Promise.all(ended);
    },
  };
}

/** Stops an engine; returns the CPU seconds that it has used since its start. */
async function stop(child: ChildProcess): Promise<number> {
  const answer = once(child, 'message') as Promise<[{ cpuSeconds: number }]>;
  child.send({ stop: true } satisfies Order);
  const [{ cpuSeconds }] = await answer;
  return cpuSeconds;
}
