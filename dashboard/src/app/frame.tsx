import { Logo } from '../ui/logo.tsx';

/** Shown while the dashboard starts. */
export function Starting() {
  return (
    <div className="starting" role="status">
      <Logo />
      <span className="visually-hidden">Loading the dashboard</span>
    </div>
  );
}
