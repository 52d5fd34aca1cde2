/** The book of the addresses from which batches arrive. */
import { describe, expect, it } from '@jest/globals';
import { SenderBook, type StoreNotes } from '../../../api/collect/senderBook.ts';
import { keyHash } from '../../../domain/accounts/keys.ts';

function createBook() {
  const stored: Parameters<StoreNotes>[] = [];
  let fault: Error | null = null;
  const book = new SenderBook(async (...noted) => {
    if (fault) throw fault;
    stored.push(noted);
  }, 60_000);
  return { book, stored, failWith: (next: Error | null) => void (fault = next) };
}

describe('the record of senders', () => {
  it('passes on how many batches came from each sender, once', async () => {
    const { book, stored } = createBook();
    for (const host of ['a.example', 'a.example', 'b.example']) book.came('site', 'accepted', host);
    book.came('site', 'unlisted_host', 'a.example');
    book.refusedKey('a.example', 'as_0123456789abcdefghijABCD');
    await book.flush();
    await book.flush();
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
    await book.close();
  });

  it('keeps counts that could not be stored', async () => {
    const { book, stored, failWith } = createBook();
    book.came('site', 'accepted', 'a.example');
    failWith(new Error('PostgreSQL is away'));
    await book.flush();
    failWith(null);
    book.came('site', 'accepted', 'b.example');
    await book.close();
    expect(stored.flatMap(([senders]) => senders.map(({ host }) => host))).toEqual(['a.example', 'b.example']);
  });

  it('limits invented hosts and keys, and shows nothing of malformed keys', async () => {
    const { book, stored, failWith } = createBook();
    failWith(new Error('PostgreSQL is away'));
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 1_500; n++) {
        book.came('site', 'unlisted_host', `${round}-${n}.example`);
        book.refusedKey('a.example', `key ${round} ${n}`);
      }
      await book.flush();
    }
    book.refusedKey('b.example', { not: 'a text' });
    failWith(null);
    await book.close();
    const [senders = [], keys = []] = stored[0] ?? [];
    expect([senders.length, keys.length]).toEqual([1_000, 100]);
    expect(keys[0]?.prefix).toBe('key');
  });
});
