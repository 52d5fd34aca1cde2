/** Projects of one stack, one after the other: a start costs more processor time than what they ask of it. */
import { afterAll, beforeAll, describe } from '@jest/globals';
import { startStack, type WholeStack } from '../support/whole/stack.ts';
import { badMedia } from './parts/badMedia.ts';
import { bulkLoad } from './parts/bulk.ts';
import { volume } from './parts/volume.ts';

const START_MS = 240_000;

describe('on a stack that others have used', () => {
  let stack: WholeStack;

  beforeAll(async () => {
    stack = await startStack({ env: { RERUN_ITEMS_PER_SECOND: '100' } });
  }, START_MS);
  afterAll(async () => {
    await stack?.stop();
  }, START_MS);

  bulkLoad(() => stack);
  volume(() => stack);
  // The last: it looks for what any of them may have left on the machine.
  badMedia(() => stack);
});
