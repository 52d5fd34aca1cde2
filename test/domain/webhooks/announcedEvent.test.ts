import { describe, expect, it } from '@jest/globals';
import { announcedEvent } from '../../../domain/webhooks/announcedEvent.ts';

describe('announcedEvent', () => {
  // proves: states/ready, states/partial, webhook-kinds/item-processed, webhook-kinds/item-failed
  it.each([
    ['ready', 'item.processed'],
    ['partial', 'item.failed'],
    ['failed', 'item.failed'],
    ['queued', null],
    ['processing', null],
    ['deferred', null],
  ] as const)('%s: %s', (status, event) => {
    const before = { status: status === 'queued' ? 'ready' : 'queued', origin: 'api' } as const;
    expect(announcedEvent(before, status)).toBe(event);
  });

  it('is null when the status stays the same', () => {
    expect(announcedEvent({ status: 'failed', origin: 'api' }, 'failed')).toBeNull();
  });

  it('is null for an item that only an order has named', () => {
    expect(announcedEvent({ status: 'queued', origin: 'order' }, 'ready')).toBeNull();
  });
});
