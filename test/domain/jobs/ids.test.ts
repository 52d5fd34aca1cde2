import { expect, it } from '@jest/globals';
import { deliveryWorkflowId, itemWorkflowId, mediumBlobFolder } from '../../../domain/jobs/ids.ts';

it('builds the same id for the same thing, and another for another', () => {
  expect(itemWorkflowId('p23456789012', 'a/b')).toBe('item/p23456789012/a/b');
  expect(itemWorkflowId('p23456789012', 'a')).not.toBe(itemWorkflowId('q23456789012', 'a'));
  expect(deliveryWorkflowId('0190')).toBe('delivery/0190');
});

it('keeps within the 1,000 bytes that Temporal takes, for the longest item id there is', () => {
  expect(Buffer.byteLength(itemWorkflowId('p23456789012', '\u{1F600}'.repeat(191)))).toBeLessThan(1_000);
});

it('gives each attempt to prepare a medium a folder of its own', () => {
  expect(mediumBlobFolder('p23456789012', 'm', 'a')).toBe('media/p23456789012/m/a');
});
