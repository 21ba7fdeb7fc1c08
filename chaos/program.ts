import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A program of the chaos: what is run, and where what it says is kept. */
export interface ProgramOptions {
  name: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  logFile: string;
  /** Settles when the program is ready; the chaos waits no longer than this takes. */
  isReady(): Promise<boolean>;
  /** Hears each line that the program says. */
  heard?: (line: string) => void;
}

const PRELOAD = fileURLToPath(new URL('./preload.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_WITHIN_MS = 60_000;
const LOOK_EVERY_MS = 50;
/** As a supervisor would: not at once. */
const AGAIN_AFTER_MS = 300;

/** A program that is started again whenever it ends, as an operator's supervisor does. */
export class Program {
  readonly name: string;
  readonly #options: ProgramOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | null = null;
  #wanted = false;
  #isKilled = false;
  #wasReady = false;
  #watch: Promise<void> = Promise.resolve();
  /** Ends that nobody brought about, of a program that had been ready: each is a finding. */
  readonly unexpected: string[] = [];
  /** Starts that the program gave up on its own, saying why: its database was away. */
  startsGivenUp = 0;
  starts = 0;

  constructor(options: ProgramOptions) {
    this.name = options.name;
    this.#options = options;
    this.#log = createWriteStream(options.logFile, { flags: 'a' });
  }

  get isRunning(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Starts it and keeps it running; call `ready` to wait for it. */
  start(): void {
    if (this.#wanted) return;
    this.#wanted = true;
    this.#watch = this.#keep();
  }

  /** Settles when the program is ready. Throws when it does not become so in a minute. */
  async ready(): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadline) {
      if (this.#wasReady && this.isRunning) return;
      await sleep(LOOK_EVERY_MS);
    }
    throw new Error(`${this.name} is not ready after ${READY_WITHIN_MS / 1000} s`);
  }

  /** Kills it; it stays dead until it is started again. */
  async kill(): Promise<void> {
    this.#wanted = false;
    await this.#end('SIGKILL');
    await this.#watch;
  }

  /** Stops it in order. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.signal('SIGCONT');
    await this.#end('SIGTERM');
    await this.#watch;
    this.#log.end();
  }

  /** `SIGSTOP` freezes it, `SIGCONT` lets it go on. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.isRunning) this.#child?.kill(name);
  }

  /** Without waiting, for the end of the chaos itself. */
  abandon(): void {
    this.#wanted = false;
    this.#child?.kill('SIGKILL');
  }

  async #end(signal: 'SIGKILL' | 'SIGTERM'): Promise<void> {
    const child = this.#child;
    if (child === null || !this.isRunning) return;
    this.#isKilled = true;
    child.kill(signal);
    await once(child, 'exit');
  }

  async #keep(): Promise<void> {
    while (this.#wanted) {
      this.#wasReady = false;
      this.#isKilled = false;
      this.starts++;
      const child = this.#spawn();
      void this.#notice(child);
      const [code, signal] = await once(child, 'exit');
      if (!this.#isKilled && this.#wasReady)
        this.unexpected.push(`${this.name} ended on its own (${code ?? signal})`);
      else if (!this.#isKilled) this.startsGivenUp++;
      if (this.#wanted) await sleep(AGAIN_AFTER_MS);
    }
  }

  /** Looks until the program that was begun is ready, or has ended. */
  async #notice(child: ChildProcess): Promise<void> {
    while (child === this.#child && this.isRunning) {
      if (await this.#options.isReady().catch(() => false)) {
        this.#wasReady ||= child === this.#child && this.isRunning;
        return;
      }
      await sleep(LOOK_EVERY_MS);
    }
  }

  #spawn(): ChildProcess {
    const { args, env, heard } = this.#options;
    const child = spawn(process.execPath, ['--import', PRELOAD, ...args], {
      cwd: ROOT,
      // Standard input is a pipe: the sandbox's programs end when we do.
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...plainEnvironment(), ...env },
    });
    child.stdin.on('error', () => undefined);
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        this.#log.write(`${line}\n`);
        heard?.(line);
      });
    this.#child = child;
    return child;
  }
}

function plainEnvironment(): Record<string, string> {
  const names = ['PATH', 'HOME', 'TMPDIR'];
  return Object.fromEntries(names.map((name) => [name, process.env[name] ?? '']));
}
