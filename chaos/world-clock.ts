import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The time of the world: the machine's, shifted. Every process has a clock of its own, which may be wrong. */
export class WorldClock {
  readonly #dir: string;
  #offsetMs: number;
  readonly #wrong = new Map<string, number>();

  /** Starts the world's time at `start`. What is dated in the database is dated by a clock of the world's own. */
  constructor(dir: string, start: Temporal.Instant) {
    this.#dir = dir;
    this.#offsetMs = start.epochMilliseconds - Date.now();
    this.fileOf('database');
  }

  /** Returns what a correct clock shows. */
  now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(Date.now() + this.#offsetMs);
  }

  /** Returns the file that a process reads its clock from (chaos/preload.ts). */
  fileOf(process: string): string {
    if (!this.#wrong.has(process)) this.#wrong.set(process, 0);
    this.#write(process);
    return join(this.#dir, `${process}.clock`);
  }

  /** Sets the clock of this process wrong by `byMs`; 0: correct again. */
  setWrong(process: string, byMs: number): void {
    this.#wrong.set(process, byMs);
    this.#write(process);
  }

  /** Moves all clocks of the world forward at once. */
  step(by: Temporal.Duration): void {
    this.#offsetMs += by.total('milliseconds');
    for (const process of this.#wrong.keys()) this.#write(process);
  }

  #write(process: string): void {
    const path = join(this.#dir, `${process}.clock`);
    writeFileSync(`${path}.new`, String(this.#offsetMs + (this.#wrong.get(process) ?? 0)));
    renameSync(`${path}.new`, path);
  }
}
