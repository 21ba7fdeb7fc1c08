import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';
import { dashboard } from '../client.ts';

/** A passkey of the member. */
export interface Passkey {
  id: string;
  name: string;
  created_at: string;
  last_used_at: string | null;
}

/** Whether this browser supports passkeys at all. */
export const canUsePasskeys: boolean = browserSupportsWebAuthn();

/** Rewords the browser's own refusals; null: the member closed its window, which is not an error. */
function reasonOf(error: unknown): Error | null {
  if (!(error instanceof Error)) return new Error('Your browser could not use a passkey.');
  if (error.name === 'NotAllowedError' || error.name === 'AbortError') return null;
  if (error.name === 'InvalidStateError')
    return new Error('This device already has a passkey for your account.');
  if (error.name === 'SecurityError')
    return new Error('Passkeys work only over https, or on localhost.');
  return error;
}

async function ask<T>(question: () => Promise<T>): Promise<T | null> {
  try {
    return await question();
  } catch (error) {
    const reason = reasonOf(error);
    if (reason !== null) throw reason;
    return null;
  }
}

/** Signs in with a passkey. Returns false if the member closed the browser's window. */
export async function enterWithPasskey(): Promise<boolean> {
  const optionsJSON = await dashboard.get<PublicKeyCredentialRequestOptionsJSON>(
    '/auth/passkey/generate-authenticate-options',
  );
  const response = await ask(() => startAuthentication({ optionsJSON }));
  if (response === null) return false;
  await dashboard.post('/auth/passkey/verify-authentication', { response });
  return true;
}

/** Adds a passkey under a name. Returns false if the member closed the browser's window. */
export async function addPasskey(
  name: string,
  proof: { password: string; code?: string },
): Promise<boolean> {
  const optionsJSON = await dashboard.post<PublicKeyCredentialCreationOptionsJSON>(
    '/auth/passkey/generate-register-options',
    proof,
  );
  const response = await ask(() => startRegistration({ optionsJSON }));
  if (response === null) return false;
  await dashboard.post('/auth/passkey/verify-registration', { response, name });
  return true;
}

export async function listPasskeys(): Promise<Passkey[]> {
  return (await dashboard.get<{ data: Passkey[] }>('/auth/passkey/list-user-passkeys')).data;
}

export function deletePasskey(id: string, password: string): Promise<unknown> {
  return dashboard.post('/auth/passkey/delete-passkey', { id, password });
}
