import type { EndpointHealth } from '../../../../server/src/dashboard/webhooks/view.ts';
import type { Tone } from '../../ui/badge.tsx';

type Counts = Pick<EndpointHealth, 'attempts' | 'acknowledged'>;

/** An endpoint that acknowledges less than this is in trouble. */
const POOR = 0.9;

/** Returns the share of requests that an endpoint acknowledged: "66.7%". All of them alone are 100%. */
export function rateText({ attempts, acknowledged }: Counts): string {
  if (attempts === acknowledged) return '100%';
  if (acknowledged === 0) return '0%';
  const tenths = Math.min(999, Math.round((acknowledged / attempts) * 1000));
  return `${(tenths / 10).toFixed(1)}%`;
}

/** Returns the colour of that share. */
export function healthTone({ attempts, acknowledged }: Counts): Tone {
  if (attempts === acknowledged) return 'success';
  return acknowledged / attempts < POOR ? 'danger' : 'warning';
}
