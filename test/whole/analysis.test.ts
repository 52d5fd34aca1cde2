/** Tests that share one stack, each with its own project, because a start costs more CPU time than their work. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { badMedia } from './parts/badMedia.ts';
import { bulkLoad } from './parts/bulk.ts';
import { volume } from './parts/volume.ts';

describe('on a stack that others have used', () => {
  let stack: WholeStack;

  beforeAll(async () => {
    stack = await startStack({ env: { RERUN_ITEMS_PER_SECOND: '100' } });
  });
  afterAll(async () => {
    await stack?.stop();
  });

  bulkLoad(() => stack);
  volume(() => stack);
  // Runs last, because it looks for files that any of the others may have left on the machine.
  badMedia(() => stack);
});
