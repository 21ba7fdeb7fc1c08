import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, TLSSocket, type TlsOptions } from 'node:tls';

/** What becomes of connections through a wire. `mid-answer`: the question arrives, of the answer at most a part comes back. */
export type WireState = 'whole' | 'refusing' | 'silent' | 'mid-answer';

/** The first byte of a TLS connection. */
const TLS_RECORD = 0x16;

/** Takes connections with TLS and without at the same port, as a bank's pages behind a proxy that ends TLS name both. */
function eitherWay(tls: TlsOptions, take: (socket: Socket) => void): (socket: Socket) => void {
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

/** Ends a connection at once. Only plain TCP can be reset; TLS upon it is closed without a word. */
function reset(socket: Socket): void {
  if (socket instanceof TLSSocket) socket.destroy();
  else socket.resetAndDestroy();
}

/** Bytes of an answer that still come through before it is cut. */
const CUT_AFTER_BYTES = 40;

/**
 * A line between two programs that can be cut, whose other end can be moved, and which tries its ends in turn: it stands for
 * the network, for the balancer before the service and for the address that follows a database after a failover.
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
    this.#server = tls === null ? createServer(take) : createServer(eitherWay(tls, take));
  }

  /** A wire to ports of this machine; with `tls` it ends TLS on the way. */
  static async open(ends: number[], tls: TlsOptions | null = null): Promise<Wire> {
    const wire = new Wire(ends, tls);
    wire.#server.listen(0, '127.0.0.1');
    await once(wire.#server, 'listening');
    return wire;
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many connections were cut. */
  get cuts(): number {
    return this.#cut;
  }

  /** Where new connections lead. */
  leadTo(...ends: number[]): void {
    this.#ends = ends;
  }

  set(state: WireState): void {
    this.#state = state;
    if (state === 'refusing') this.cut();
  }

  /** Cuts every connection that is open. */
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
      if (this.#state !== 'mid-answer') {
        near.write(chunk);
        return;
      }
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
