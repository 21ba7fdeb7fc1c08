import { readFileSync } from 'node:fs';
import {
  createServer as createHttpServer,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Bank } from '../bank.ts';
import type { BankConfig } from '../config.ts';

/** The two listeners: the back channel over mutual TLS, and the pages for browsers. */

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Serves discovery, token, keys and VRP endpoints, only to callers with a certificate from our authority. The token endpoint of a
 * bank that `refusesClients` lets nobody in.
 */
export function createBackChannel(
  config: BankConfig,
  banks: ReadonlyMap<string, Bank>,
  refusesClients: (bank: Bank) => boolean,
): FastifyInstance {
  const dispatch = async (handler: Handler, request: IncomingMessage, response: ServerResponse) => {
    const { bank, rest } = addressOf(banks, request.url);
    const latency = (config.latency_ms ?? 0) + (bank?.brand.latencyMs ?? 0);
    if (latency > 0) await sleep(latency);
    if (bank && rest === '/token' && refusesClients(bank)) refuseClient(response);
    else if (bank && !/^\/(open-banking|register)(\/|\?|$)/.test(rest))
      toProvider(bank, rest, request, response, config.back_channel_url);
    else handler(request, response);
  };
  const tls = {
    ca: readFileSync(config.tls.ca),
    cert: readFileSync(config.tls.cert),
    key: readFileSync(config.tls.key),
    requestCert: true,
    rejectUnauthorized: true,
  };
  return Fastify({
    forceCloseConnections: true,
    bodyLimit: 256 * 1024,
    serverFactory: (handler) =>
      createHttpsServer(tls, (request, response) => {
        dispatch(handler, request, response).catch(() => response.destroy());
      }) as unknown as ReturnType<typeof createHttpServer>,
  });
}

/** Answers as a token endpoint does to a client that it does not know, or whose key it does not take (RFC 6749, 5.2). */
function refuseClient(response: ServerResponse): void {
  response
    .writeHead(401, { 'content-type': 'application/json', 'cache-control': 'no-store' })
    .end(JSON.stringify({ error: 'invalid_client' }));
}

/** Serves the authorization endpoint and our own pages, over plain http; TLS, if any, ends in front of them. */
export function createPages(
  { public_pages_url }: BankConfig,
  banks: ReadonlyMap<string, Bank>,
): FastifyInstance {
  return Fastify({
    forceCloseConnections: true,
    bodyLimit: 64 * 1024,
    serverFactory: (handler) =>
      createHttpServer((request, response) => {
        const { bank, rest } = addressOf(banks, request.url);
        const path = rest.split('?')[0] ?? '';
        if (!bank || !/^\/auth(\/|$)/.test(path)) {
          handler(request, response);
          return;
        }
        if (path === '/auth') forgetSession(bank, request);
        toProvider(bank, rest, request, response, public_pages_url);
      }),
  });
}

/** Signs the customer out before every authorisation, as a bank does. */
function forgetSession(bank: Bank, request: IncomingMessage): void {
  const name = `${bank.brand.bankId}_session`;
  const kept = (request.headers.cookie ?? '')
    .split('; ')
    .filter((cookie) => !cookie.startsWith(`${name}=`) && !cookie.startsWith(`${name}.`));
  request.headers.cookie = kept.join('; ');
}

function addressOf(banks: ReadonlyMap<string, Bank>, url = '/') {
  const [, bankId = '', rest = '/'] = /^\/([^/?]*)(.*)$/.exec(url) ?? [];
  return { bank: banks.get(bankId), rest };
}

/** Rewrites paths for the provider; `originalUrl` tells it where it is mounted, and `publicUrl` how it is reached. */
function toProvider(
  bank: Bank,
  rest: string,
  request: IncomingMessage,
  response: ServerResponse,
  publicUrl: string,
): void {
  request.headers['x-forwarded-proto'] = new URL(publicUrl).protocol.slice(0, -1);
  Object.assign(request, { originalUrl: request.url });
  request.url = rest;
  void bank.provider.callback()(request, response);
}
