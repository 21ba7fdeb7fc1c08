import type { SandboxMove } from '@recollect/sdk';
import { useState } from 'react';
import { useAdvance, useClock, useLastMove } from '../../api/sandbox.ts';
import { Card } from '../../ui/card.tsx';
import { QueryView } from '../../ui/data/query-view.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { ClockFace } from './clock-face.tsx';
import { Happened } from './happened-list.tsx';
import { MoveButtons } from './move-buttons.tsx';
import { type ClockMove, targetOf } from './moves.ts';
import { Moving } from './moving.tsx';

/** The sandbox's clock, the buttons that move it, and the results of the last move. */
export function ClockCard() {
  const advance = useAdvance();
  const clock = useClock(advance.isPending);
  const moved = useLastMove();
  const [way, setWay] = useState<ClockMove | null>(null);
  const move = (wanted: SandboxMove, now: string) => {
    setWay({ from: Date.parse(now), to: targetOf(wanted, now), startedAt: Date.now() });
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
