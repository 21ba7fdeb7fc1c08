import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROOT } from './files.ts';
import type { Order, Report } from './messages.ts';
import type { FileResult } from './report.ts';

/** How to run many files. */
export interface PoolOptions {
  processes: number;
  env: NodeJS.ProcessEnv;
  /** Stops everything. */
  signal: AbortSignal;
  onFile: (result: FileResult) => void;
  /** Called with errors outside every file. */
  onStray: (error: string) => void;
}

const WORKER = fileURLToPath(new URL('./worker.ts', import.meta.url));
/** One file that hangs must not block them all. */
const FILE_LIMIT_MS = 900_000;
/** Time for a worker to stop when ordered to. */
const STOP_LIMIT_MS = 5_000;
/** Time for a worker without further files to close what they shared. */
const END_LIMIT_MS = 30_000;

/** Runs the files in a few processes; each takes the next file when it has finished one. Returns when all have ended. */
export async function runInPool(files: readonly string[], options: PoolOptions): Promise<void> {
  const queue = [...files];
  const lane = async (): Promise<void> => {
    let worker: Worker | null = null;
    while (queue.length > 0 && !options.signal.aborted) {
      const file = queue.shift() ?? '';
      worker ??= new Worker(options);
      const result = await worker.run(file);
      options.onFile(result);
      if (worker.hasEnded) worker = null;
    }
    await worker?.end();
  };
  await Promise.all(Array.from({ length: Math.min(options.processes, files.length) }, lane));
}

type Current = Pick<FileResult, 'printed' | 'cpuMs'> & {
  outcomes: FileResult['outcomes'][number][];
};

/** A process that runs one file after the other. */
class Worker {
  readonly #child;
  readonly #options: PoolOptions;
  #current: Current = { outcomes: [], printed: '', cpuMs: 0 };
  /** Ends the wait for the current file; `broken` is the reason if the file did not finish. */
  #settle: (broken: string | null) => void = () => undefined;

  constructor(options: PoolOptions) {
    this.#options = options;
    this.#child = fork(WORKER, [], {
      cwd: ROOT,
      execArgv: [],
      env: options.env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#current.printed += text;
      });
    this.#child.on('message', (report: Report) => this.#take(report));
    this.#child.on('error', (error) => this.#settle(`Its process: ${error.message}`));
    this.#child.on('exit', (code, signal) =>
      this.#settle(`Its process ended with ${signal ?? `exit code ${code}`}`),
    );
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null || this.#child.signalCode !== null;
  }

  #take(report: Report): void {
    if (report.type === 'outcome') this.#current.outcomes.push(report);
    else if (report.type === 'stray') this.#options.onStray(report.error);
    else {
      this.#current.cpuMs = report.cpuMs;
      this.#settle(null);
    }
  }

  /** Runs a file. If the file does not finish, the worker is stopped. */
  async run(file: string): Promise<FileResult> {
    const since = performance.now();
    const current: Current = { outcomes: [], printed: '', cpuMs: 0 };
    this.#current = current;
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#settle = resolve;
    const { signal } = this.#options;
    const interrupt = (): void => resolve('Interrupted');
    signal.addEventListener('abort', interrupt);
    const limit = setTimeout(
      () => resolve(`It did not end within ${FILE_LIMIT_MS / 1000} s`),
      FILE_LIMIT_MS,
    );
    this.#order({ file });
    const broken = await promise;
    clearTimeout(limit);
    signal.removeEventListener('abort', interrupt);
    if (broken !== null) await this.#stop();
    return { file, ...current, broken, ms: performance.now() - since };
  }

  /** Lets the process close what its files shared, and exit on its own. */
  async end(): Promise<void> {
    this.#order({ file: null });
    if (!(await this.#endsWithin(END_LIMIT_MS))) await this.#stop();
  }

  #order(order: Order): void {
    this.#child.send(order, () => undefined); // if the process is gone, its exit is handled
  }

  async #stop(): Promise<void> {
    this.#child.kill('SIGTERM');
    if (!(await this.#endsWithin(STOP_LIMIT_MS))) this.#child.kill('SIGKILL');
    await this.#endsWithin(STOP_LIMIT_MS);
  }

  async #endsWithin(ms: number): Promise<boolean> {
    if (this.hasEnded) return true;
    const waited = new AbortController();
    const isEnded = await Promise.race([
      once(this.#child, 'exit').then(() => true),
      sleep(ms, false, { signal: waited.signal }).catch(() => false),
    ]);
    waited.abort();
    return isEnded;
  }
}
