import { Link } from 'react-router';
import type { PulseView } from '../../../server/src/dashboard/pulse-view.ts';
import { FlaskConical } from '../ui/icons.tsx';
import { When } from '../ui/values/when.tsx';
import { useMe } from './session.tsx';

/** Shows that this is test money and the sandbox's time; links to the sandbox's panel. */
export function SandboxBar({ pulse }: { pulse: PulseView }) {
  const { mode } = useMe();
  if (mode !== 'sandbox') return null;
  return (
    <section className="sandbox-bar" aria-label="Sandbox">
      <Link to="/sandbox" className="sandbox-pill">
        <FlaskConical aria-hidden="true" />
        <span className="sandbox-word">Sandbox</span>
        <span className="sandbox-time">
          <When at={pulse.now} as="datetime" />
        </span>
      </Link>
      <span className="sandbox-note">Test data: no real money moves.</span>
    </section>
  );
}
