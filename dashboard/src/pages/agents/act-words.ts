import type { PreparedAct } from '@recollect/sdk';
import type { Tone } from '../../ui/badge.tsx';

/** What each status of an act is called. */
export const STATUS_WORDS: Readonly<Record<PreparedAct['status'], { word: string; tone: Tone }>> = {
  prepared: { word: 'Prepared', tone: 'neutral' },
  waiting_for_approval: { word: 'Waiting', tone: 'warning' },
  done: { word: 'Done', tone: 'success' },
  declined: { word: 'Declined', tone: 'danger' },
  replaced: { word: 'Replaced', tone: 'neutral' },
  expired: { word: 'Expired', tone: 'neutral' },
};

/** Returns whose act it is: the name that the agent gave itself, and the key that proves it. */
export const agentOf = ({
  agent,
  key_name: key,
}: Pick<PreparedAct, 'agent' | 'key_name'>): string => (agent === null ? key : `${agent} (${key})`);

const PAGES: Readonly<Record<string, string>> = {
  sch: '/schedules',
  pay: '/payments',
};

/** Returns the page of what an act made, changed, or is about; null: it has none of its own. */
export function pageOf({ object_id: made, about_id: about }: PreparedAct): string | null {
  for (const id of [made, about]) {
    const path = id === null ? undefined : PAGES[id.slice(0, 'sch'.length)];
    if (path !== undefined) return `${path}/${id}`;
  }
  return null;
}
