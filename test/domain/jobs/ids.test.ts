import { expect, it } from '@jest/globals';
import { deliveryWorkflowId, itemWorkflowId, attemptBlobFolder } from '../../../domain/jobs/ids.ts';

// proves: decisions-lanes/workflow
it('an id is the same for the same thing, and different for another', () => {
  expect(itemWorkflowId('p23456789012', 'a/b')).toBe('item/p23456789012/a/b');
  expect(itemWorkflowId('p23456789012', 'a')).not.toBe(itemWorkflowId('q23456789012', 'a'));
  expect(deliveryWorkflowId('0190')).toBe('delivery/0190');
});

it('an id stays within the 1,000 bytes that Temporal accepts, even for the longest item id', () => {
  expect(Buffer.byteLength(itemWorkflowId('p23456789012', '\u{1F600}'.repeat(191)))).toBeLessThan(1_000);
});

it('each attempt to prepare a medium has a separate folder', () => {
  expect(attemptBlobFolder('p23456789012', 'm', 'a')).toBe('media/p23456789012/m/a');
});
