import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls';

/**
 * How a wire treats connections. `mid-answer`: the request arrives, but at most part of the response comes back. `slow`: each
 * response comes seconds late.
 */
export type WireState = 'whole' | 'refusing' | 'silent' | 'mid-answer' | 'slow';

/** The first byte of a TLS connection. */
const TLS_RECORD = 0x16;

/** Accepts connections with and without TLS on the same port: the bank's pages behind a TLS proxy use both. */
function acceptTlsOrPlain(
  tls: TlsOptions,
  take: (socket: Socket) => void,
): (socket: Socket) => void {
  const inner = createTlsServer(tls, take).on('tlsClientError', () => undefined);
  return (socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (first) => {
      socket.pause();
      socket.unshift(first);
      if (first[0] === TLS_RECORD) inner.emit('connection', socket);
      else take(socket);
    });
  };
}

/** Ends a connection at once. Only plain TCP can be reset; TLS on top of it is closed without notice. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Longer than a call should take, and shorter than we wait for it. */
const SLOW_MS = 4_000;

/** How many bytes of a response pass before it is cut. */
const CUT_AFTER_BYTES = 40;

/**
 * A line between two programs that can be cut, whose far end can be moved, and which uses its ends in rotation: it stands for the
 * network, for the load balancer in front of the service and for the address that follows a database after a failover.
 */
export class Wire {
  readonly #server: Server;
  readonly #pairs = new Map<Socket, Socket>();
  #ends: number[];
  #turn = 0;
  #state: WireState = 'whole';
  #cut = 0;

  private constructor(ends: number[], tls: TlsOptions | null) {
    this.#ends = ends;
    const take = (socket: Socket): void => this.#take(socket);
    this.#server = tls === null ? createServer(take) : createServer(acceptTlsOrPlain(tls, take));
  }

  /** Opens a wire to ports of this machine; with `tls` it terminates TLS. */
  static async open(ends: number[], tls: TlsOptions | null = null): Promise<Wire> {
    const wire = new Wire(ends, tls);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** Returns how many connections were cut. */
  get cuts(): number {
    return this.#cut;
  }

  /** Sets where new connections lead. */
  leadTo(...ends: number[]): void {
    this.#ends = ends;
  }

  set(state: WireState): void {
    this.#state = state;
    if (state === 'refusing') this.cut();
  }

  /** Cuts every open connection. */
  cut(): void {
    for (const [near, far] of this.#pairs) {
      this.#cut++;
      reset(near);
      reset(far);
    }
  }

  close(): void {
    this.set('refusing');
    this.#server.close();
  }

  #take(near: Socket): void {
    near.on('error', () => undefined);
    if (this.#state === 'refusing') near.destroy();
    else this.#reach(near, this.#ends.length);
  }

  #reach(near: Socket, triesLeft: number): void {
    const port = this.#ends[this.#turn++ % this.#ends.length];
    if (port === undefined || triesLeft === 0) {
      near.destroy();
      return;
    }
    const far = connect({ port, host: '127.0.0.1', noDelay: true });
    const next = (): void => this.#reach(near, triesLeft - 1);
    far.once('error', next);
    far.once('connect', () => {
      far.off('error', next);
      this.#join(near, far);
    });
  }

  #join(near: Socket, far: Socket): void {
    this.#pairs.set(near, far);
    let answered = 0;
    near.setNoDelay(true).resume();
    near.on('data', (chunk: Buffer) => {
      if (this.#state !== 'silent') far.write(chunk);
    });
    far.on('data', (chunk: Buffer) => {
      if (this.#state === 'silent') return;
      if (this.#state === 'slow') setTimeout(() => near.write(chunk), SLOW_MS);
      if (this.#state === 'whole') near.write(chunk);
      if (this.#state !== 'mid-answer') return;
      const left = CUT_AFTER_BYTES - answered;
      answered += chunk.length;
      if (answered < CUT_AFTER_BYTES) near.write(chunk);
      else {
        this.#cut++;
        near.end(chunk.subarray(0, Math.max(0, left)));
        far.destroy();
      }
    });
    const end = (): void => {
      this.#pairs.delete(near);
      near.destroy();
      far.destroy();
    };
    for (const socket of [near, far]) {
      socket.on('error', end);
      socket.on('close', end);
      socket.on('end', () => (socket === near ? far : near).end());
    }
  }
}
