/** The time of a conversion or an order that a server reports. */

/** Returns the time that counts: a time in the future, or a missing one, is replaced by that of the receipt. */
export function momentOf(sent: Date | null, receivedAt: Date): Date {
  return sent === null || sent > receivedAt ? receivedAt : sent;
}
