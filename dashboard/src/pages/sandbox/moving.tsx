import type { SandboxClock } from '@recollect/sdk';
import { useStopClock } from '../../api/sandbox.ts';
import { Button } from '../../ui/button.tsx';
import { Progress } from '../../ui/data/progress.tsx';
import { errorText } from '../../ui/error-text.ts';
import { Notice } from '../../ui/notice.tsx';
import { toast } from '../../ui/overlays/toast.tsx';
import { type ClockMove, progressOf, timeLeft } from './moves.ts';

/** How far the clock has moved, how long it will take, and the way to stop it. `way`: of a move that this page started. */
export function Moving({ clock, way }: { clock: SandboxClock; way: ClockMove | null }) {
  if (way === null && !clock.advancing) return null;
  if (way === null)
    return (
      <Notice tone="info" title="The clock is moving">
        <p>Everyone in this sandbox shares it. You can move it again once it has arrived.</p>
        <StopButton />
      </Notice>
    );
  const progress = progressOf(way, Date.parse(clock.now));
  return (
    <div role="status" className="stack stack-tight">
      <Progress label="The clock is moving" value={progress} />
      <p className="quiet">
        {timeLeft(progress, Date.now() - way.startedAt)} Everything that falls due on the way
        happens in order, at its own time.
      </p>
      <div className="row">
        <StopButton />
      </div>
    </div>
  );
}

function StopButton() {
  const stop = useStopClock();
  return (
    <Button
      size="small"
      isPending={stop.isPending || stop.isSuccess}
      onPress={() =>
        stop.mutate(undefined, { onError: (error) => toast(errorText(error).advice, 'danger') })
      }
    >
      Stop here
    </Button>
  );
}
