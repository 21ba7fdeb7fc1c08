import type { SandboxClock } from '@recollect/sdk';
import { useEffect, useState } from 'react';
import { dayOfMoment } from '../../ui/values/days.ts';
import { useTimeZone } from '../../ui/values/time-zone.tsx';

const TICK_MS = 1_000;

const TIME = { hour: '2-digit', minute: '2-digit', second: '2-digit' } as const;

/** Returns a time that keeps running between two responses: the clock runs in real time while it is not being moved. */
function useRunning({ now, advancing }: SandboxClock): number {
  const [passed, setPassed] = useState(0);
  useEffect(() => {
    setPassed(0);
    if (advancing || now === '') return;
    const start = performance.now();
    const timer = setInterval(() => setPassed(performance.now() - start), TICK_MS);
    return () => clearInterval(timer);
  }, [now, advancing]);
  return Date.parse(now) + passed;
}

/** The sandbox's time, large, in the merchant's time zone. */
export function ClockFace({ clock }: { clock: SandboxClock }) {
  const timeZone = useTimeZone();
  const now = new Date(useRunning(clock));
  return (
    <p className="clock-face">
      <time dateTime={now.toISOString()}>
        <span className="clock-time">{now.toLocaleTimeString('en-GB', { ...TIME, timeZone })}</span>
        <span className="clock-day">{dayOfMoment(now, timeZone)}</span>
      </time>
      <span className="quiet">{timeZone}</span>
    </p>
  );
}
