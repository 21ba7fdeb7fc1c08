import { isIP, type LookupFunction } from 'node:net';
import { Agent, type Dispatcher, setGlobalDispatcher } from 'undici';
import { AddressRefused, checkAddress, guardedLookup, hostOf, reachesOf } from './address.ts';
import { HTTP_1 } from './request-begun.ts';

/** Connections to addresses, which are checked before each call. */
export interface GuardedAgents {
  /** Returns what calls a URL. Throws AddressRefused where its scheme or its address may not be called. */
  of(url: URL): Dispatcher;
  close(): Promise<void>;
}

/**
 * Makes connections to addresses that somebody else chose: they reach nothing of our own network. Each scheme has its own, whose
 * DNS lookup returns only addresses that the scheme may reach. An address written into the URL is never looked up, so it is
 * checked for each call (docs/rules/webhooks.md#endpoint-addresses).
 */
export function guardedAgents(options: {
  mode: 'sandbox' | 'live';
  timeoutMs: number;
  lookup?: LookupFunction | undefined;
  /** The longest body of a response, in bytes; the caller limits it where it is left out. */
  longestResponse?: number;
}): GuardedAgents {
  const { mode, timeoutMs, lookup, longestResponse = -1 } = options;
  const agentOf = (protocol: string): Agent =>
    new Agent({
      ...HTTP_1,
      connect: { lookup: guardedLookup(reachesOf(protocol, mode), lookup), timeout: timeoutMs },
      headersTimeout: 0, // the caller's signal limits the whole request
      bodyTimeout: 0,
      maxResponseSize: longestResponse,
    });
  const agents = new Map(['https:', 'http:'].map((protocol) => [protocol, agentOf(protocol)]));
  return {
    of(url) {
      const reaches = reachesOf(url.protocol, mode);
      const agent = agents.get(url.protocol);
      if (agent === undefined || reaches.length === 0)
        throw new AddressRefused(`${url.protocol}// is not called in ${mode} mode`);
      if (isIP(hostOf(url)) !== 0) checkAddress(hostOf(url), reaches);
      return agent;
    },
    async close() {
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    },
  };
}

/** Makes connections to addresses that the operator chose, of any network; plain http in the sandbox alone. */
export function openAgents(
  mode: 'sandbox' | 'live',
  { timeoutMs, longestResponse }: { timeoutMs: number; longestResponse: number },
): GuardedAgents {
  const agent = new Agent({
    ...HTTP_1,
    connect: { timeout: timeoutMs },
    maxResponseSize: longestResponse,
  });
  return {
    of({ protocol }) {
      if (protocol !== 'https:' && mode === 'live')
        throw new AddressRefused(`${protocol}// is not called in ${mode} mode`);
      return agent;
    },
    close: () => agent.destroy(),
  };
}

/** Makes calls without an agent of their own go where they say, and not through a proxy that Node read from its environment. */
export function leaveProxies(): void {
  setGlobalDispatcher(new Agent({ ...HTTP_1 }));
}
