/** A mistake that a tired programmer might make, and that our simulation must detect, or a test. */
export interface Defect {
  name: string;
  /** Relative to the server's sources. */
  file: string;
  from: string;
  to: string;
  /** How many days a seed needs to hit it, if more than usual. */
  days?: number;
  /** Only transactions that overlap can hit it: it is planted under the simulation of two processes. */
  overlaps?: true;
  /** The test that must fail, from the root: for what the history of a seed need not contain. */
  test?: string;
}
