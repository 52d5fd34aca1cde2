/** Runs a single activity without a server. */
import type { Info } from '@temporalio/activity';
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** @returns an environment that does not log failed activities; the tests check the failures themselves */
export function createActivityEnvironment(
  info: Partial<Pick<Info, 'attempt' | 'heartbeatDetails'>> = {},
): MockActivityEnvironment {
  return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
}
