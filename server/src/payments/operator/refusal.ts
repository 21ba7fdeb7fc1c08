/** An operator's request contradicts the books, the bank or the issuer; the message says how. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
}
