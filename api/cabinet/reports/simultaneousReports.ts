import type { CabinetCaller } from '../../auth/cabinetAuthentication.ts';

/** Maximum number of concurrent reports of a user, over all tokens and sessions. */
export const SIMULTANEOUS = 2;

/** Returns the report slot of a caller. A token of the installation belongs to no user, so it has slots of its own. */
export function reportSlotOf({ user, bucket }: CabinetCaller): { key: string; max: number } {
  return { key: user ? `user/${user.id}` : bucket, max: SIMULTANEOUS };
}
