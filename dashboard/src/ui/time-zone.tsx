import { createContext, type ReactNode, use, useMemo } from 'react';

const MINUTE_MS = 60_000;

const Zone = createContext<string | null>(null);
const Now = createContext<number | null>(null);

/** Says in which calendar everything below is shown: the merchant's. */
export function TimeZoneProvider(props: { timeZone: string; children: ReactNode }) {
  return <Zone value={props.timeZone}>{props.children}</Zone>;
}

/** The merchant's time zone; before one is known, the browser's. */
export function useTimeZone(): string {
  return use(Zone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Says what time it is for the business: in the sandbox, the sandbox's time. Moves once a minute. */
export function NowProvider(props: { now: string | undefined; children: ReactNode }) {
  const { now } = props;
  const minute = useMemo(() => {
    if (now === undefined) return null;
    return Math.floor(Date.parse(now) / MINUTE_MS) * MINUTE_MS;
  }, [now]);
  return <Now value={minute}>{props.children}</Now>;
}

/** The time of the business in milliseconds, to the minute; the machine's before it is known. */
export function useNow(): number {
  return use(Now) ?? Date.now();
}
