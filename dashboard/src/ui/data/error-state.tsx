import { Button } from '../button.tsx';
import { errorText } from '../error-text.ts';
import { CircleAlert } from '../icons.tsx';

/** Shown where content could not be loaded: what happened, what to do, and a retry. */
export function ErrorState({ error, onRetry }: { error: unknown; onRetry?: () => unknown }) {
  const { title, advice, requestId } = errorText(error);
  return (
    <div className="empty error-state" role="alert">
      <span className="empty-icon" aria-hidden="true">
        <CircleAlert />
      </span>
      <p className="empty-title">{title}</p>
      <p className="empty-text">{advice}</p>
      {requestId === null ? null : <p className="empty-small">Request {requestId}</p>}
      {onRetry === undefined ? null : <Button onPress={() => onRetry()}>Try again</Button>}
    </div>
  );
}
