/** Assigns operations to the shared limits of a key. */
import { projectLimits, type ProjectLimits } from '../../domain/accounts/projectLimits.ts';
import type { ProjectCaller } from '../auth/projectKey.ts';
import type { AnyOperation } from '../http/operations/operation.ts';
import type { RateLimit } from '../http/limits/rateLimiter.ts';

/** The project's limit for each group; `key` has all operations without a group. */
const LIMITS = { key: 'requests_per_second', output: 'output_per_second' } as const satisfies Record<
  NonNullable<AnyOperation['limitGroup']> | 'key',
  keyof ProjectLimits
>;

export function limitOf(
  { keyId, limits }: ProjectCaller,
  { limitGroup }: Pick<AnyOperation, 'limitGroup'>,
): { key: string; limit: RateLimit } {
  const group = limitGroup ?? 'key';
  const perSecond = projectLimits(limits)[LIMITS[group]];
  return { key: `${group}/${keyId}`, limit: { capacity: Math.max(1, perSecond), perSecond } };
}
