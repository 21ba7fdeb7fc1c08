import type { Dispatcher } from 'undici';

/** Whether a request was given to an open connection: after that, part of it may have been sent. */
export interface Begun {
  hasBegun: boolean;
}

/**
 * Marks each request (its `opaque`) when undici passes it to a connection whose TLS handshake is complete. A request that fails
 * without the mark provably never left: its name was not found, the connection or the handshake failed, or no connection was free
 * in time. Error codes cannot tell: a reset can come before a request as well as after it.
 */
export const noteBegun: Dispatcher.DispatcherComposeInterceptor =
  (dispatch) => (options, handler) => {
    const call = (options as { opaque?: Begun }).opaque;
    return dispatch(options, {
      onRequestStart(controller, context) {
        if (call !== undefined) call.hasBegun = true;
        handler.onRequestStart?.(controller, context);
      },
      onRequestUpgrade: (...all) => handler.onRequestUpgrade?.(...all),
      onResponseStart: (...all) => handler.onResponseStart?.(...all),
      onResponseData: (...all) => handler.onResponseData?.(...all),
      onResponseEnd: (...all) => handler.onResponseEnd?.(...all),
      onResponseError: (...all) => handler.onResponseError?.(...all),
    });
  };

/**
 * Every agent of ours speaks HTTP/1.1, also where the other side offers HTTP/2: what is said of a call that has begun, and of a
 * connection that is lost while it is under way, holds for one call at a time on a connection.
 */
export const HTTP_1 = { allowH2: false } as const;
