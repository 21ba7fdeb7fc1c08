import { createContext, type ReactNode, use, useMemo } from 'react';

const MINUTE_MS = 60_000;

const Zone = createContext<string | null>(null);
const Now = createContext<number | null>(null);

/** Provides the time zone in which everything below is shown: the merchant's. */
export function TimeZoneProvider(props: { timeZone: string; children: ReactNode }) {
  return <Zone value={props.timeZone}>{props.children}</Zone>;
}

/** Returns the merchant's time zone; before it is known, the browser's. */
export function useTimeZone(): string {
  return use(Zone) ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Provides the business time: in the sandbox, the sandbox's clock. Updates once a minute. */
export function NowProvider(props: { now: string | undefined; children: ReactNode }) {
  const { now } = props;
  const minute = useMemo(() => {
    if (now === undefined) return null;
    return Math.floor(Date.parse(now) / MINUTE_MS) * MINUTE_MS;
  }, [now]);
  return <Now value={minute}>{props.children}</Now>;
}

/** Returns the business time in milliseconds, to the minute; before it is known, the machine's. */
export function useNow(): number {
  return use(Now) ?? Date.now();
}
