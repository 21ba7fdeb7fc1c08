/** What a response says besides its body. */
export interface ResponseInfo {
  status: number;
  headers: Headers;
  /** `X-Request-Id`: quote it when you contact support. */
  requestId: string | null;
  /** Whether this is the answer to an earlier request with the same `Idempotency-Key`. */
  isReplayed: boolean;
}

/** A body with the response that it came in. */
export interface WithResponse<T> {
  data: T;
  response: ResponseInfo;
}

/** A requested body: awaited, it is the body; `withResponse()` gives status and headers, too. */
export interface Reply<T> extends Promise<T> {
  withResponse(): Promise<WithResponse<T>>;
}

/** Returns the reply of a call that is under way. */
export function replyOf<T>(sent: Promise<WithResponse<T>>): Reply<T> {
  const body = sent.then(({ data }) => data);
  return Object.assign(body, {
    withResponse() {
      // Whoever waits for the response does not wait for the body besides.
      body.catch(() => undefined);
      return sent;
    },
  });
}
