// The merchants' receiver: acknowledges everything at once, and never responds below /hang. With a certificate it speaks HTTPS.
// `node bench/stand/receiver.ts <port> [certificate key]`
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';

const [, , port, certificate, key] = process.argv;

const acknowledge: RequestListener = (request, response) => {
  if (request.url?.startsWith('/hang') === true) return;
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-length': '2' }).end('ok'));
};

const server =
  certificate === undefined || key === undefined
    ? createServer(acknowledge)
    : createHttpsServer({ cert: readFileSync(certificate), key: readFileSync(key) }, acknowledge);
server.requestTimeout = 0;
server.keepAliveTimeout = 60_000;
server.listen(Number(port), '127.0.0.1', 4096);
process.on('SIGTERM', () => process.exit());
