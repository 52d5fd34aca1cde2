import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { csvScanner, lineScanner, splitRecords, type Scanner } from '../../../../activities/data/imports/records.ts';

const START = { offset: 0, line: 1 };

/** Returns the records of bytes that arrive in pieces of `size`. */
async function split(
  bytes: Buffer,
  scanner: Scanner,
  size: number,
  maxBytes = 1_000,
  start = START,
  skipBytes = 1_000,
) {
  const pieces = async function* (): AsyncGenerator<Buffer> {
    for (let index = start.offset; index < bytes.length; index += size)
      yield await Promise.resolve(bytes.subarray(index, index + size));
  };
  const records = [];
  for await (const { bytes: own, line, next } of splitRecords(pieces(), start, scanner, { maxBytes, skipBytes }))
    records.push({ text: own?.toString() ?? null, line, next });
  return records;
}

const textsOf = (records: Awaited<ReturnType<typeof split>>) => records.map(({ text }) => text);

describe.each([1, 2, 3, 7, 1_000])('in pieces of %i bytes', (size) => {
  it('a line ends with either kind of line break; the last one needs none', async () => {
    const records = await split(Buffer.from('один\r\n\nтри'), lineScanner(), size);
    expect(records).toEqual([
      { text: 'один', line: 1, next: { offset: 10, line: 2 } },
      { text: '', line: 2, next: { offset: 11, line: 3 } },
      { text: 'три', line: 3, next: { offset: 17, line: 4 } },
    ]);
  });

  it('a CSV row continues through line breaks in a quoted cell, and its neighbours keep their numbers', async () => {
    const records = await split(Buffer.from('a,"x\ny ""z""\n",b\r\nc,d\n'), csvScanner(','), size);
    expect(records).toEqual([
      { text: 'a,"x\ny ""z""\n",b', line: 1, next: { offset: 18, line: 4 } },
      { text: 'c,d', line: 4, next: { offset: 22, line: 5 } },
    ]);
  });

  it('a quote inside a cell that does not begin with one is an ordinary character', async () => {
    expect(textsOf(await split(Buffer.from('a 5" nail,b\nc\n'), csvScanner(','), size))).toEqual(['a 5" nail,b', 'c']);
  });

  it('a record that is too long is skipped completely, and the next one is read', async () => {
    const records = await split(Buffer.from(`${'x'.repeat(11)}\nshort\n${'y'.repeat(10)}`), lineScanner(), size, 10);
    expect(textsOf(records)).toEqual([null, 'short', 'y'.repeat(10)]);
    expect(records[1]).toMatchObject({ line: 2, next: { offset: 18 } });
  });
});

it('a record longer than the skip limit is the last one', async () => {
  const records = await split(Buffer.from(`a\n${'x'.repeat(30)}\nb\n`), lineScanner(), 8, 10, START, 20);
  expect(records).toEqual([
    { text: 'a', line: 1, next: { offset: 2, line: 2 } },
    { text: null, line: 2, next: { offset: 24, line: 3 } },
  ]);
});

it('a CSV row whose quote is never closed continues to the end of the file', async () => {
  expect(textsOf(await split(Buffer.from('a,"b\nc,d\ne\n'), csvScanner(','), 4))).toEqual(['a,"b\nc,d\ne\n']);
});

it('reading can start at any record boundary, with the same result for the rest', async () => {
  const cell = fc
    .array(fc.constantFrom('a', 'ж', '"', '\n', ',', '\r'), { maxLength: 5 })
    .map((parts) => parts.join(''));
  const quoted = cell.map((text) => `"${text.replaceAll('"', '""')}"`);
  const plain = fc.constantFrom('a', '', 'текст', '1');
  const row = fc.array(fc.oneof(quoted, plain), { minLength: 1, maxLength: 3 }).map((cells) => cells.join(','));
  await fc.assert(
    fc.asyncProperty(fc.array(row, { maxLength: 6 }), fc.integer({ min: 1, max: 9 }), async (rows, size) => {
      const bytes = Buffer.from(rows.map((text) => `${text}\n`).join(''));
      const records = await split(bytes, csvScanner(','), size);
      expect(textsOf(records)).toEqual(rows);
      for (const [index, { next }] of records.entries()) {
        expect(await split(bytes, csvScanner(','), size, 1_000, next)).toEqual(records.slice(index + 1));
      }
    }),
  );
});
