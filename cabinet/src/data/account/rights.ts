import { useQuery } from '@tanstack/react-query';
import { meQuery } from './account.ts';
import type { cabinet } from '../client.ts';

export type Role = cabinet.Me['role'];

/** Returns whether the signed-in user may make changes, and not only view. */
export function useMayChange(): boolean {
  const { data: me } = useQuery(meQuery);
  return me !== undefined && me.role !== 'viewer';
}
