import type { IncomingMessage } from 'node:http';
import type { TLSSocket } from 'node:tls';
import type { Bank } from '../bank.ts';
import { ApiProblem } from '../wire/problem.ts';
import { certificateThumbprint } from './provider.ts';

/** Which kind of access token an endpoint takes. */
export type TokenKind = 'client' | 'customer';

/** What a valid access token grants; `grantId` names the customer's approval. */
export interface Access {
  kind: TokenKind;
  /** The client that the token was issued to. */
  clientId: string;
  grantId: string | null;
}

/** Checks a request's access token: known, valid, for payments, and bound to the caller's certificate. */
export async function checkAccess(
  bank: Bank,
  request: IncomingMessage,
  wanted: TokenKind,
): Promise<Access> {
  const token = bearerToken(request);
  if (!token) throw new ApiProblem(401, undefined, 'No access token');
  const access = await findToken(bank, token);
  if (!access) throw new ApiProblem(401, undefined, 'The access token is not in force');
  if (access.boundTo !== certificateThumbprint(request.socket as TLSSocket)) {
    throw new ApiProblem(401, undefined, 'The access token is bound to another certificate');
  }
  if (!access.scopes.has('payments') || access.kind !== wanted) {
    throw new ApiProblem(403, undefined, `This endpoint takes a ${wanted} token for payments`);
  }
  return access;
}

/** Returns the token of a request's Authorization header, or null. */
export function bearerToken(request: IncomingMessage): string | null {
  return /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? null;
}

async function findToken(bank: Bank, token: string) {
  const { AccessToken, ClientCredentials } = bank.provider;
  const customer = await AccessToken.find(token);
  const found = customer ?? (await ClientCredentials.find(token));
  if (!found) return null;
  return {
    kind: customer ? ('customer' as const) : ('client' as const),
    clientId: found.clientId ?? '',
    grantId: customer?.grantId ?? null,
    boundTo: found['x5t#S256'],
    scopes: new Set((found.scope ?? '').split(' ')),
  };
}
