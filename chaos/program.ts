import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/** A program of the chaos run: what to run, and where its output is kept. */
export interface ProgramOptions {
  name: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  logFile: string;
  /** Whether the program is ready. It is polled. */
  isReady(): Promise<boolean>;
  /** What replaces the program's clock; default: that of this version. */
  preload?: string;
  /** Called with each line of output. */
  heard?: (line: string) => void;
}

const PRELOAD = fileURLToPath(new URL('./preload.ts', import.meta.url));
const ROOT = fileURLToPath(new URL('..', import.meta.url));
const READY_WITHIN_MS = 60_000;
const POLL_MS = 50;
/** Supervisors also wait before a restart. */
const AGAIN_AFTER_MS = 300;

/** A program that is restarted whenever it exits, as by an operator's supervisor. */
export class Program {
  readonly name: string;
  readonly #options: ProgramOptions;
  readonly #log: WriteStream;
  #child: ChildProcess | null = null;
  #wanted = false;
  #isKilled = false;
  #wasReady = false;
  #watch: Promise<void> = Promise.resolve();
  /** Unexpected exits of a program that had been ready: each is a finding. */
  readonly unexpected: string[] = [];
  /** Starts that the program aborted on its own, with a reason: its database was away. */
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

  /** Resolves when the program is ready. Throws if that takes more than a minute. */
  async ready(): Promise<void> {
    const deadline = performance.now() + READY_WITHIN_MS;
    while (performance.now() < deadline) {
      if (this.#wasReady && this.isRunning) return;
      await sleep(POLL_MS);
    }
    throw new Error(`${this.name} is not ready after ${READY_WITHIN_MS / 1000} s`);
  }

  /** Kills it; it is not restarted until `start` is called. */
  async kill(): Promise<void> {
    this.#wanted = false;
    await this.#end('SIGKILL');
    await this.#watch;
  }

  /** Stops it cleanly. */
  async stop(): Promise<void> {
    this.#wanted = false;
    this.signal('SIGCONT');
    await this.#end('SIGTERM');
    await this.#watch;
    this.#log.end();
  }

  /** `SIGSTOP` freezes it, `SIGCONT` lets it continue. */
  signal(name: 'SIGSTOP' | 'SIGCONT'): void {
    if (this.isRunning) this.#child?.kill(name);
  }

  /** Kills it without waiting, at the end of the chaos run itself. */
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

  /** Polls until the started program is ready, or has exited. */
  async #notice(child: ChildProcess): Promise<void> {
    while (child === this.#child && this.isRunning) {
      if (await this.#options.isReady().catch(() => false)) {
        this.#wasReady ||= child === this.#child && this.isRunning;
        return;
      }
      await sleep(POLL_MS);
    }
  }

  #spawn(): ChildProcess {
    const { args, env, heard, preload = PRELOAD } = this.#options;
    const child = spawn(process.execPath, ['--import', preload, ...args], {
      cwd: ROOT,
      // Standard input is a pipe: the sandbox's programs exit when we do.
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
