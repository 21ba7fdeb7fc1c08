import type { Writable } from 'node:stream';
import type { SandboxHappening } from '@recollect/sdk';

const WIDTH = 150;

/** Prints a story: who does what, at which time of the sandbox clock. */
export class Timeline {
  readonly #out: Writable;

  constructor(out: Writable) {
    this.#out = out;
  }

  #line(mark: string, text: string): void {
    const room = WIDTH - mark.length - 5;
    this.#out.write(`  ${mark}  ${text.length > room ? `${text.slice(0, room - 1)}…` : text}\n`);
  }

  say(text: string): void {
    this.#out.write(`\n${text}\n`);
  }

  chapter(title: string): void {
    this.#out.write(`\n── ${title} ${'─'.repeat(Math.max(0, 90 - title.length))}\n`);
  }

  /** Prints the time of the sandbox clock. */
  at(moment: Temporal.Instant): void {
    this.#line('clock   ', moment.toString({ smallestUnit: 'second' }));
  }

  call(method: string, what: string): void {
    this.#line('API     ', `${method} ${what}`);
  }

  note(text: string): void {
    this.#line('        ', text);
  }

  /** Prints a line that the customer reads. */
  page(text: string): void {
    this.#line('portal  ', text);
  }

  /** Prints a line of an email that the customer gets. */
  email(text: string): void {
    this.#line('email   ', text);
  }

  webhook(text: string): void {
    this.#line('webhook ', text);
  }

  money(text: string): void {
    this.#line('wallets ', text);
  }

  /** Prints one thing that happened while the clock moved. */
  happened(step: SandboxHappening): void {
    const moment = step.at.slice(0, 19).replace('T', ' ');
    if (step.kind === 'state_change')
      this.#line(
        '        ',
        `${moment}  ${step.object_id}  ${step.from ?? 'new'} → ${step.to}  (${step.reason})`,
      );
  }
}
