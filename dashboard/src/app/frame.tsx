import { Mark } from '../ui/brand.tsx';

/** Shown while the dashboard starts. */
export function Starting() {
  return (
    <div className="starting" role="status">
      <Mark />
      <span className="visually-hidden">Loading the dashboard</span>
    </div>
  );
}
