/** An operator asked for something that the books, the bank or the issuer speak against; the message says what. */
export class OperatorRefusal extends Error {
  override readonly name = 'OperatorRefusal';
}
