/** One activity by itself, without a server. */
import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';

/** @returns an environment that says of failed activities nothing: their tests do */
export function createActivityEnvironment(info: { attempt?: number } = {}): MockActivityEnvironment {
  return new MockActivityEnvironment(info, { logger: new DefaultLogger('ERROR') });
}
