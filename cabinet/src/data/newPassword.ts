/** A new password, typed twice. */

const MIN_LENGTH = 8;

export interface NewPassword {
  fresh: string;
  again: string;
}

/**
 * Returns the fault of the password before it is sent; null if there is none. Its length is in characters, as on the
 * server.
 */
export function faultOfPassword({ fresh, again }: NewPassword): 'short' | 'differ' | null {
  if ([...fresh].length < MIN_LENGTH) return 'short';
  return fresh === again ? null : 'differ';
}
