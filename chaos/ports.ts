import { probeFreePort } from '../server/src/platform/free-port.ts';

/** Finds ports of this machine that are currently free, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, () => probeFreePort()));
  await Promise.all(probes.map(({ close }) => close()));
  return probes.map(({ port }) => port);
}
