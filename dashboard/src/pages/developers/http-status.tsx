import { Badge } from '../../ui/badge.tsx';
import { breakable } from '../../ui/values/breakable.tsx';

/** The status of a response, and the error's code if it was refused. */
export function HttpStatus({
  request: { status, error_code: code },
}: {
  request: { status: number; error_code: string | null };
}) {
  const tone = status >= 500 ? 'danger' : status >= 400 ? 'warning' : 'success';
  return (
    <span className="stacked">
      <Badge tone={tone}>{status}</Badge>
      {code === null ? null : <code>{breakable(code)}</code>}
    </span>
  );
}
