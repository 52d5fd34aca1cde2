/** The counter of batches by the host of their page, and of refused keys. */
import { describe, expect, it } from '@jest/globals';
import { SenderCounter, type StoreCounts } from '../../../../api/collect/checks/senderCounter.ts';
import { keyHash } from '../../../../domain/accounts/keyFormats.ts';
import { withFakeTime } from '../../../support/jest/fakeTime.ts';

function createBook() {
  const stored: Parameters<StoreCounts>[] = [];
  let fault: Error | null = null;
  const counter = new SenderCounter(async (...noted) => {
    if (fault) throw fault;
    stored.push(noted);
  }, 60_000);
  return { counter, stored, failWith: (next: Error | null) => void (fault = next) };
}

describe('the record of senders', () => {
  it('passes on how many batches came from each sender, once', async () => {
    const { counter, stored } = createBook();
    for (const host of ['a.example', 'a.example', 'b.example']) counter.countBatch('site', 'accepted', host);
    counter.countBatch('site', 'unlisted_host', 'a.example');
    counter.countRefusedKey('a.example', 'as_0123456789abcdefghijABCD');
    await counter.flush();
    await counter.flush();
    expect(stored).toEqual([
      [
        [
          expect.objectContaining({ outcome: 'accepted', host: 'a.example', requests: 2, lastAt: expect.any(Date) }),
          expect.objectContaining({ outcome: 'accepted', host: 'b.example', requests: 1 }),
          expect.objectContaining({ outcome: 'unlisted_host', host: 'a.example', requests: 1 }),
        ],
        [
          expect.objectContaining({
            host: 'a.example',
            prefix: 'as_01234',
            hash: keyHash('as_0123456789abcdefghijABCD'),
            requests: 1,
          }),
        ],
      ],
    ]);
    await counter.close();
  });

  it('keeps counts that could not be stored', async () => {
    const { counter, stored, failWith } = createBook();
    counter.countBatch('site', 'accepted', 'a.example');
    failWith(new Error('PostgreSQL is away'));
    await counter.flush();
    failWith(null);
    counter.countBatch('site', 'accepted', 'b.example');
    await counter.close();
    expect(stored.flatMap(([senders]) => senders.map(({ host }) => host))).toEqual(['a.example', 'b.example']);
  });

  it('adds counts that could not be stored to those made in the meantime, and keeps when the first batch came', async () => {
    const { counter, stored, failWith } = createBook();
    failWith(new Error('PostgreSQL is away'));
    const count = (): void => {
      counter.countBatch('site', 'accepted', 'a.example');
      counter.countRefusedKey('a.example', 'as_0123456789abcdefghijABCD');
    };
    await withFakeTime(['Date'], async (pass) => {
      count();
      const flushing = counter.flush();
      await pass(2_000);
      count();
      await pass(1_000);
      count();
      await flushing;
      failWith(null);
      await counter.close();
    });
    const times = stored.flat(2).map(({ host, requests, firstAt, lastAt }) => [host, requests, +lastAt - +firstAt]);
    expect(times).toEqual([
      ['a.example', 3, 3_000],
      ['a.example', 3, 3_000],
    ]);
  });

  it('limits invented hosts and keys, and keeps at most the beginning of a malformed key', async () => {
    const { counter, stored, failWith } = createBook();
    failWith(new Error('PostgreSQL is away'));
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 1_500; n++) {
        counter.countBatch('site', 'unlisted_host', `${round}-${n}.example`);
        counter.countRefusedKey('a.example', `key ${round} ${n}`);
      }
      await counter.flush();
    }
    counter.countRefusedKey('b.example', { not: 'a text' });
    failWith(null);
    await counter.close();
    const [senders = [], keys = []] = stored[0] ?? [];
    expect([senders.length, keys.length]).toEqual([1_000, 100]);
    expect(keys[0]?.prefix).toBe('key');
  });
});
