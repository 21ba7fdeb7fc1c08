import { RecollectConnectionError, RecollectError } from '@recollect/sdk';

interface ErrorText {
  title: string;
  advice: string;
  /** To quote when asking for help. */
  requestId: string | null;
}

function adviceFor(error: RecollectError): { title: string; advice: string } {
  const { status, code, message } = error;
  if (code === 'second_factor_required')
    return { title: 'You need a second factor', advice: message };
  if (status === 403) return { title: 'Your role does not allow this', advice: message };
  if (status === 404)
    return {
      title: 'Not found',
      advice: 'It does not exist or belongs to another merchant. Check the address.',
    };
  if (status === 409) return { title: 'This was refused', advice: message };
  if (status === 429) return { title: 'Too many attempts', advice: message };
  if (status >= 500)
    return {
      title: 'The service is unavailable',
      advice: 'Something went wrong on our side. Try again in a moment.',
    };
  return { title: 'Something went wrong', advice: message };
}

/** Describes an error: what happened, and what to do. */
export function errorText(error: unknown): ErrorText {
  if (error instanceof RecollectError) return { ...adviceFor(error), requestId: error.requestId };
  if (error instanceof RecollectConnectionError)
    return {
      title: 'The service is not responding',
      advice: 'Check your connection, then try again.',
      requestId: null,
    };
  return {
    title: 'Something went wrong',
    advice: error instanceof Error ? error.message : 'Try again.',
    requestId: null,
  };
}
