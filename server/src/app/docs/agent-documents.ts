import type { AgentDocument } from '../../agents/mcp/server.ts';
import { findPages, titleOf } from './pages.ts';

/** What an agent can act on: guides, rules, and the pages of errors. */
const READ_BY_AGENTS = /^\/docs\/(guides|rules|errors)\//;

/** Returns a function that finds the documents for agents, once. */
export function agentDocuments(): () => readonly AgentDocument[] {
  let found: AgentDocument[] | null = null;
  return () => {
    found ??= findPages()
      .filter(({ path, isList }) => !isList && READ_BY_AGENTS.test(path))
      .map((page) => ({ path: page.path, title: titleOf(page), read: () => page.read() }));
    return found;
  };
}
