import { Recollect } from '@recollect/sdk';
import { BASE } from '../app/base.ts';
import { isAttended } from './calls/attended.ts';
import { jsonClient } from './calls/json-client.ts';
import { repeatingUnclear } from './calls/unclear-calls.ts';
import { askForProof, requiresProof } from './people/proof.ts';

const TIMEOUT_MS = 30_000;
const MERCHANT_KEY = 'recollect.merchant';
const ROOT = `${location.origin}${BASE}`;

let merchantId: string | null = readChoice();
const signedOutListeners = new Set<() => void>();
const repeatedListeners = new Set<() => void>();
/** How long the answer may take that brings a new session. */
const A_MOMENT_MS = 1_000;
/** Whether the last answer was one to somebody who is signed in. */
let isSignedIn = false;

function readChoice(): string | null {
  try {
    return localStorage.getItem(MERCHANT_KEY);
  } catch {
    return null;
  }
}

/** Sets the merchant that this browser acts for; null: the service decides. Kept for the next visit. */
export function chooseMerchant(id: string | null): void {
  merchantId = id;
  try {
    if (id === null) localStorage.removeItem(MERCHANT_KEY);
    else localStorage.setItem(MERCHANT_KEY, id);
  } catch {
    // No storage: the choice lasts as long as the page.
  }
}

/** Returns the merchant this browser acts for, or null before one is known. */
export function chosenMerchant(): string | null {
  return merchantId;
}

/** Calls the listener whenever a response reports that the user is signed out. Returns a function that unsubscribes. */
export function onSignedOut(listener: () => void): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

/** Calls the listener whenever a repeated change had been made by a try whose answer was lost. Returns the same. */
export function onRepeated(listener: () => void): () => void {
  repeatedListeners.add(listener);
  return () => repeatedListeners.delete(listener);
}

function isRead(init: RequestInit): boolean {
  return init.method === undefined || init.method === 'GET';
}

/**
 * Calls fetch with the session's cookie and the merchant's header; notifies the listeners of a 401. Where a change wants the
 * password and a code, asks for them and repeats it.
 */
const sessionFetch: typeof globalThis.fetch = async (input, init) => {
  const headers = new Headers(init?.headers);
  if (merchantId !== null) headers.set('x-recollect-merchant', merchantId);
  if (!isAttended()) headers.set('x-recollect-unattended', '1');
  const asked = { ...init, headers, credentials: 'same-origin' } as const;
  let response = await globalThis.fetch(input, asked);
  // The time that somebody takes to type a password is none of the request's.
  if ((await requiresProof(response)) && (await askForProof()))
    response = await globalThis.fetch(input, { ...asked, signal: AbortSignal.timeout(TIMEOUT_MS) });
  // A new session may have replaced the one that this was sent with, as when a second factor is turned on. Only a read is
  // repeated: at the doors a 401 is the answer, and used the challenge up.
  if (response.status === 401 && isSignedIn && isRead(asked)) {
    await new Promise((resolve) => setTimeout(resolve, A_MOMENT_MS));
    response = await globalThis.fetch(input, asked);
  }
  isSignedIn = response.status !== 401;
  if (!isSignedIn) for (const listener of signedOutListeners) listener();
  return response;
};

/** The public API, called with the member's session. */
export const recollect = new Recollect({
  apiKey: null,
  baseUrl: ROOT,
  fetch: repeatingUnclear(sessionFetch, () => {
    for (const listener of repeatedListeners) listener();
  }),
  maxRetries: 1,
});

/** Calls the endpoints that only the dashboard needs; paths are below `/dashboard`, such as `/api/overview`. */
export const dashboard = jsonClient(ROOT, sessionFetch);
