// The merchants' receiver: acknowledges everything at once, and never responds below /hang.
// `node bench/stand/receiver.ts <port>`
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  if (request.url?.startsWith('/hang') === true) return;
  request.resume();
  request.on('end', () => response.writeHead(200, { 'content-length': '2' }).end('ok'));
});
server.requestTimeout = 0;
server.keepAliveTimeout = 60_000;
server.listen(Number(process.argv[2]), '127.0.0.1', 4096);
process.on('SIGTERM', () => process.exit());
