/** The banks of the sandbox. One program runs them all; each is a bank of its own to the outside. */
export interface Brand {
  bankId: string;
  name: string;
  sortCode: string;
  /** One line for people who choose a bank. */
  summary: string;
  /** Real time that every back-channel answer takes on top of the configured latency. */
  latencyMs: number;
  /** Of every so many calls of one resource only the last is served, the others answer 503. */
  servesOneCallIn: number;
  /** The pace at which ordinary payments are processed. */
  pace: 'at_once' | 'two_hours';
}

export const BRANDS: readonly Brand[] = [
  {
    bankId: 'northbank',
    name: 'Northbank',
    sortCode: '991001',
    summary: 'Works as a bank should',
    latencyMs: 0,
    servesOneCallIn: 1,
    pace: 'at_once',
  },
  {
    bankId: 'millrace',
    name: 'Millrace Bank',
    sortCode: '991002',
    summary: 'Slow: every answer takes over a second, payments two hours',
    latencyMs: 1200,
    servesOneCallIn: 1,
    pace: 'two_hours',
  },
  {
    bankId: 'harbour',
    name: 'Harbour Bank',
    sortCode: '991003',
    summary: 'Often unavailable: two of three calls answer 503',
    latencyMs: 0,
    servesOneCallIn: 3,
    pace: 'at_once',
  },
];
