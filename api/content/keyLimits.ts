/** Assigns operations to the shared limits of a key. */
import { projectLimits } from '../../domain/accounts/projectLimits.ts';
import type { ProjectCaller } from '../auth/projectKey.ts';
import type { AnyOperation } from '../http/operations/operation.ts';
import type { RateLimit } from '../http/limits/rateLimiter.ts';

export function limitOf(
  { keyId, limits }: ProjectCaller,
  { limitGroup }: Pick<AnyOperation, 'limitGroup'>,
): { key: string; limit: RateLimit } {
  const isOutput = limitGroup === 'output';
  const { requests_per_second: requests, output_per_second: output } = projectLimits(limits);
  const perSecond = isOutput ? output : requests;
  return { key: `${isOutput ? 'output' : 'key'}/${keyId}`, limit: { capacity: Math.max(1, perSecond), perSecond } };
}
