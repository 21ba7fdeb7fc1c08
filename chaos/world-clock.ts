import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The time of the world: the machine's, moved. Every process has a clock of its own, which may be wrong. */
export class WorldClock {
  readonly #dir: string;
  #offsetMs: number;
  readonly #wrong = new Map<string, number>();

  /** The world begins at `start`, now. What is dated in the database is dated by a clock of the world's own. */
  constructor(dir: string, start: Temporal.Instant) {
    this.#dir = dir;
    this.#offsetMs = start.epochMilliseconds - Date.now();
    this.fileOf('database');
  }

  /** What a right clock shows. */
  now(): Temporal.Instant {
    return Temporal.Instant.fromEpochMilliseconds(Date.now() + this.#offsetMs);
  }

  /** The file that a process reads its clock from (chaos/preload.ts). */
  fileOf(process: string): string {
    if (!this.#wrong.has(process)) this.#wrong.set(process, 0);
    this.#write(process);
    return join(this.#dir, `${process}.clock`);
  }

  /** From now on the clock of this process is wrong by so much; 0: right again. */
  setWrong(process: string, byMs: number): void {
    this.#wrong.set(process, byMs);
    this.#write(process);
  }

  /** All clocks of the world go forward at once. */
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
