/** How many requests of the tag may wait to be stored (groupCommit.ts), and how many of them of one site or address. */
import type { CollectedRequest } from '../../db/collect/storeCollected.ts';
import { FairCapacity } from '../../platform/process/concurrency/fairCapacity.ts';
import { limitKeyOf } from '../http/limits/trustedProxies.ts';

/**
 * Limits of waiting requests, including the running transaction; beyond them clients are asked to retry. A site and an
 * address each get about half at most, so that a flood of one does not cause 503 for others.
 */
export const WAITING_LIMITS = { requests: 2_000, bytes: 32 * 1024 * 1024 };

/** Share of one address at one site, so that the site's other visitors have room. */
const SHARE_OF_ADDRESS = 0.5;

/** The room for requests, and for their bytes. */
export type Rooms = Record<'requests' | 'bytes', FairCapacity>;

export function createRooms(limits: typeof WAITING_LIMITS): Rooms {
  return { requests: new FairCapacity(limits.requests), bytes: new FairCapacity(limits.bytes) };
}

/** Reserves room for a request and for its bytes; returns null when either is missing. */
export function reserveRoom(rooms: Rooms, { siteId, ip }: CollectedRequest, bytes: number): (() => void) | null {
  const address = limitKeyOf(ip);
  const parties = [
    { name: `site/${siteId}` },
    { name: `ip/${address}` },
    { name: `${siteId}/${address}`, share: SHARE_OF_ADDRESS },
  ];
  const leaveRequests = rooms.requests.tryAcquire(parties);
  const leaveBytes = leaveRequests && rooms.bytes.tryAcquire(parties, bytes);
  if (leaveBytes === null) {
    leaveRequests?.();
    return null;
  }
  return () => {
    leaveRequests?.();
    leaveBytes();
  };
}
