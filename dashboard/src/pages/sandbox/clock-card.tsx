import type { SandboxClock, SandboxMove } from '@recollect/sdk';
import { useState } from 'react';
import { useAdvance, useClock, useLastMove } from '../../api/sandbox.ts';
import { Card } from '../../ui/card.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { Progress } from '../../ui/progress.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { ClockFace } from './clock-face.tsx';
import { Happened } from './happened-list.tsx';
import { MoveButtons } from './move-buttons.tsx';
import { progressOf, targetOf } from './moves.ts';

interface Way {
  from: number;
  to: number;
}

/** The sandbox's clock, the buttons that move it, and the results of the last move. */
export function ClockCard() {
  const advance = useAdvance();
  const clock = useClock(advance.isPending);
  const moved = useLastMove();
  const [way, setWay] = useState<Way | null>(null);
  const move = (wanted: SandboxMove, now: string) => {
    setWay({ from: Date.parse(now), to: targetOf(wanted, now) });
    advance.mutate(wanted);
  };
  return (
    <>
      <Card title="The clock">
        <QueryView query={clock}>
          {(found) => (
            <div className="stack">
              <ClockFace clock={found} />
              <Moving clock={found} way={advance.isPending ? way : null} />
              <MoveButtons
                isMoving={advance.isPending || found.advancing}
                onMove={(wanted) => move(wanted, found.now)}
              />
              {advance.isError ? (
                <Notice tone="danger" title={errorText(advance.error).title}>
                  {errorText(advance.error).advice} The clock continues from where it stopped.
                </Notice>
              ) : null}
            </div>
          )}
        </QueryView>
      </Card>
      {moved === undefined ? null : <Happened key={moved.to} moved={moved} />}
    </>
  );
}

function Moving({ clock, way }: { clock: SandboxClock; way: Way | null }) {
  if (way !== null)
    return (
      <div role="status" className="stack stack-tight">
        <Progress
          label="The clock is moving"
          value={progressOf(way.from, Date.parse(clock.now), way.to)}
        />
        <p className="quiet">
          Everything that falls due on the way happens in order, at its own time.
        </p>
      </div>
    );
  if (!clock.advancing) return null;
  return (
    <Notice tone="info" title="The clock is moving">
      Everyone in this sandbox shares it. You can move it again once it has arrived.
    </Notice>
  );
}
