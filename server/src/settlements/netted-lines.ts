/** Money that settlements give back to a merchant: of a refund that failed, or of an item that was credited. */
export interface CreditLine {
  kind: 'refund_back' | 'came_back';
  /** The refund's id, or the item's. */
  id: string;
  pence: number;
}

/**
 * Returns the first lines, in order, whose sum is at most `roomPence`: the others wait for a later part. A line that alone
 * exceeds the room is passed over, so that it does not keep back those after it.
 */
export function fitting(lines: readonly CreditLine[], roomPence: number): CreditLine[] {
  let left = roomPence;
  return lines.filter(({ pence }) => {
    if (pence > left) return false;
    left -= pence;
    return true;
  });
}
