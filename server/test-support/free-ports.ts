import { probeFreePort } from '../src/platform/network/free-port.ts';

/** Returns a loopback port that is currently free. */
export async function freePort(): Promise<number> {
  const { port, close } = await probeFreePort();
  await close();
  return port;
}

/** Returns loopback ports that are currently free, all different. */
export async function freePorts(count: number): Promise<number[]> {
  const probes = await Promise.all(Array.from({ length: count }, () => probeFreePort()));
  await Promise.all(probes.map(({ close }) => close()));
  return probes.map(({ port }) => port);
}
