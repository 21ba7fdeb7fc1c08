import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts process time in hundredths of a second, whatever the kernel's own tick. */
const TICKS_PER_SECOND = 100;

interface Stat {
  parent: number;
  /** Includes the time of children that have ended. */
  seconds: number;
}

/** Returns the CPU seconds, user and system, of a process and all its descendants, including those that have ended. */
export function cpuSecondsOf(root: number): number {
  const all = readAll();
  const children = Map.groupBy(all, ([, stat]) => stat.parent);
  let seconds = 0;
  const waiting = [root];
  const seen = new Set<number>();
  for (let pid = waiting.pop(); pid !== undefined; pid = waiting.pop()) {
    if (seen.has(pid)) continue;
    seen.add(pid);
    seconds += all.get(pid)?.seconds ?? 0;
    waiting.push(...(children.get(pid) ?? []).map(([child]) => child));
  }
  return seconds;
}

/** Returns the process that started this one. */
export function parentOf(pid: number): number {
  const stat = readStat(pid);
  if (stat === null) throw new Error(`there is no process ${pid}`);
  return stat.parent;
}

/** Returns the running processes that this one has started. */
export function childrenOf(pid: number): number[] {
  return [...readAll()].filter(([, stat]) => stat.parent === pid).map(([child]) => child);
}

function readAll(): Map<number, Stat> {
  const all = new Map<number, Stat>();
  for (const name of readdirSync('/proc')) {
    const pid = Number(name);
    const stat = Number.isInteger(pid) ? readStat(pid) : null;
    if (stat !== null) all.set(pid, stat);
  }
  return all;
}

/** Reads proc(5): the name, in parentheses, may contain anything, so fields are counted after it. */
function readStat(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND };
  } catch {
    return null;
  }
}
