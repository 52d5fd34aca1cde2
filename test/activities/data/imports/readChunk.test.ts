import { describe, expect, it } from '@jest/globals';
import { CHUNK_BYTES, CHUNK_LINES, readChunk, type Chunk } from '../../../../activities/data/imports/readChunk.ts';
import {
  IMPORT_LINE_BYTES,
  IMPORT_SKIP_BYTES,
  type CsvLayout,
  type ImportFormat,
} from '../../../../domain/jobs/imports.ts';
import { createLineValidator } from '../../../../domain/schemas/importLine.ts';
import { createValidators } from '../../../../domain/schemas/validation.ts';

const validate = createLineValidator(createValidators({ isMediaUrl: (text) => text.startsWith('https://') }));

async function* stream(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let index = 0; index < bytes.length; index += 64 * 1024)
    yield await Promise.resolve(bytes.subarray(index, index + 64 * 1024));
}

/** Reads the chunks of a whole file, one after the other. */
async function readAll(format: ImportFormat, content: string | Buffer): Promise<Chunk[]> {
  const bytes = Buffer.from(content);
  const chunks: Chunk[] = [];
  let next = { offset: 0, line: 1 };
  let layout: CsvLayout | null = null;
  for (;;) {
    const chunk: Chunk = await readChunk(
      stream(bytes.subarray(next.offset)),
      { format, layout, next, bytes: bytes.length },
      validate,
    );
    chunks.push(chunk);
    ({ next, layout } = chunk);
    if (chunk.end) return chunks;
  }
}

async function read(format: ImportFormat, content: string | Buffer) {
  const chunks = await readAll(format, content);
  return {
    chunks,
    puts: chunks.flatMap(({ operations }) => operations),
    errors: chunks.flatMap(({ errors }) => errors),
    end: chunks.at(-1)?.end,
  };
}

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

describe('JSON Lines', () => {
  // proves: decisions-imports/file
  it('are items, either plain or as operations', async () => {
    const { puts, errors, end } = await read(
      'jsonl',
      line({ id: 'a', type: 'text', title: 'А' }) +
        line({ op: 'put', id: 'b', data: { type: 'text' } }) +
        line({ id: 'c', data: { type: 'text' } }),
    );
    expect(errors).toEqual([]);
    expect(end).toBe('done');
    expect(puts.map(({ line: number, operation }) => [number, operation.op, operation.id])).toEqual([
      [1, 'put', 'a'],
      [2, 'put', 'b'],
      [3, 'put', 'c'],
    ]);
    expect(puts[0]?.operation).toMatchObject({
      content: { type: 'text', title: 'А', body: null, available: true, media: [] },
    });
  });

  it('may begin with a byte order mark, contain blank lines and end without a line break', async () => {
    const { puts, errors } = await read(
      'jsonl',
      `\uFEFF${line({ id: 'a', type: 'text' })}\n  \r\n${JSON.stringify({ id: 'b', type: 'text' })}`,
    );
    expect(errors).toEqual([]);
    expect(puts.map(({ line: number }) => number)).toEqual([1, 4]);
  });

  // proves: decisions-imports/errors
  it.each([
    ['text that is not JSON', '{"id":', 'invalid_json', null, []],
    ['two values', '{} {}', 'invalid_json', null, []],
    ['an array', '[1]', 'validation_failed', null, [{ field: '', code: 'invalid_type' }]],
    ['no id', '{"type":"text"}', 'validation_failed', null, [{ field: 'id', code: 'required' }]],
    [
      'an id that is a number',
      '{"id":7,"type":"text"}',
      'validation_failed',
      null,
      [{ field: 'id', code: 'invalid_type' }],
    ],
    [
      'an id with NUL',
      '{"id":"a\\u0000","type":"text"}',
      'validation_failed',
      null,
      [{ field: 'id', code: 'invalid_value' }],
    ],
    [
      'half a character',
      '{"id":"a","type":"text","title":"\\ud800"}',
      'validation_failed',
      'a',
      [{ field: 'title', code: 'invalid_value' }],
    ],
    [
      'another operation',
      '{"op":"delete","id":"a","data":null}',
      'validation_failed',
      'a',
      [
        { field: 'op', code: 'invalid_value', allowed: ['put'] },
        { field: '', code: 'invalid_type' },
      ],
    ],
    ['no data', '{"op":"put","id":"a"}', 'validation_failed', 'a', [{ field: 'data', code: 'required' }]],
    [
      'an unknown field',
      '{"id":"a","type":"text","colour":"red"}',
      'validation_failed',
      'a',
      [{ field: 'colour', code: 'unknown_field' }],
    ],
    [
      'a field beside data',
      '{"id":"a","title":"x","data":{"type":"text"}}',
      'validation_failed',
      'a',
      [{ field: 'title', code: 'unknown_field' }],
    ],
    [
      'a medium inside the network',
      '{"id":"a","type":"image","media":[{"kind":"image","url":"http://10.0.0.1/"}]}',
      'validation_failed',
      'a',
      [{ field: 'media[0].url', code: 'invalid_url' }],
    ],
    [
      'a text with media',
      '{"id":"a","type":"text","media":[{"kind":"image","url":"https://a.b/"}]}',
      'validation_failed',
      'a',
      [{ field: 'media', code: 'invalid_value' }],
    ],
    [
      'a video without media',
      '{"id":"a","data":{"type":"video"}}',
      'validation_failed',
      'a',
      [{ field: 'media', code: 'required' }],
    ],
  ])('with %s cause errors for their own line only', async (_name, text, code, itemId, faults) => {
    const { puts, errors } = await read('jsonl', `${text}\n${line({ id: 'good', type: 'text' })}`);
    expect(errors).toEqual([{ line: 1, itemId, code, faults }]);
    expect(puts.map(({ operation }) => operation.id)).toEqual(['good']);
  });

  it('that are not UTF-8 are errors', async () => {
    const { errors, puts } = await read(
      'jsonl',
      Buffer.concat([
        Buffer.from('{"id":"'),
        Buffer.from([0xff, 0xfe]),
        Buffer.from(`","type":"text"}\n${line({ id: 'a', type: 'text' })}`),
      ]),
    );
    expect(errors).toEqual([{ line: 1, itemId: null, code: 'invalid_encoding', faults: [] }]);
    expect(puts).toHaveLength(1);
  });

  it('with endless nesting are errors and do not end the worker', async () => {
    const depth = 1_000_000;
    const { errors, puts } = await read(
      'jsonl',
      `{"id":"a","type":"text","properties":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}\n${line({ id: 'b', type: 'text' })}`,
    );
    expect(errors).toMatchObject([{ line: 1, code: expect.stringMatching(/^(validation_failed|invalid_json)$/) }]);
    expect(puts).toHaveLength(1);
  });

  it('longer than a request body of the API are errors, and the next line is read', async () => {
    const { errors, puts } = await read(
      'jsonl',
      `${line({ id: 'a', type: 'text', body: 'x'.repeat(IMPORT_LINE_BYTES) })}${line({ id: 'b', type: 'text' })}`,
    );
    expect(errors).toEqual([{ line: 1, itemId: null, code: 'line_too_long', faults: [] }]);
    expect(puts.map(({ line: number }) => number)).toEqual([2]);
  });

  it('are read in chunks of a limited number of lines or bytes', async () => {
    const many = await read(
      'jsonl',
      Array.from({ length: CHUNK_LINES + 1 }, (_, index) => line({ id: `i${index}`, type: 'text' })).join(''),
    );
    expect(many.chunks.map(({ operations }) => operations.length)).toEqual([CHUNK_LINES, 1]);
    const large = await read(
      'jsonl',
      Array.from({ length: 20 }, (_, index) => line({ id: `i${index}`, type: 'text', body: 'x'.repeat(900_000) })).join(
        '',
      ),
    );
    expect(large.puts).toHaveLength(20);
    expect(large.chunks.map(({ operations }) => operations.length)).toEqual([10, 10]);
  });

  it('that are blank count towards the bytes of a chunk, but not towards its lines', async () => {
    const { chunks, puts } = await read('jsonl', `${'\n \r\n'.repeat(CHUNK_LINES)}${line({ id: 'a', type: 'text' })}`);
    expect([chunks.length, puts.map(({ line: number }) => number)]).toEqual([1, [2 * CHUNK_LINES + 1]]);
    const blank = `${' '.repeat(1_023)}\n`;
    const lines = CHUNK_BYTES / blank.length;
    const large = await read('jsonl', `${blank.repeat(lines)}\n`);
    expect(large.chunks.map(({ next }) => next)).toEqual([
      { offset: CHUNK_BYTES, line: lines + 1 },
      { offset: CHUNK_BYTES + 1, line: lines + 2 },
    ]);
    expect(large.end).toBe('done');
  });

  it.each(['jsonl', 'csv'] as const)(
    'a line that never ends stops an import of the kind %s, and the lines before it are kept',
    async (format) => {
      const piece = Buffer.alloc(8 * 1024 * 1024, 'x');
      let sent = 0;
      const endless = async function* (): AsyncGenerator<Buffer> {
        yield await Promise.resolve(Buffer.from(format === 'csv' ? 'a,text\n"' : line({ id: 'a', type: 'text' })));
        for (; ; sent += piece.length) yield piece;
      };
      const layout = format === 'csv' ? { delimiter: ',', columns: ['id', 'type'] } : null;
      const chunk = await readChunk(
        endless(),
        { format, layout, next: { offset: 0, line: 1 }, bytes: Number.MAX_SAFE_INTEGER },
        validate,
      );
      expect(chunk).toMatchObject({
        operations: [{ line: 1 }],
        errors: [{ line: 2, code: 'line_too_long' }],
        end: 'failed',
      });
      expect(sent).toBeLessThanOrEqual(IMPORT_SKIP_BYTES + piece.length);
    },
  );

  it.each([
    ['jsonl', 'nothing', '', [], 1],
    ['jsonl', 'a line and a half', '{"id":"a","type":"text"}\n{"id":"b",', ['a'], 2],
    ['jsonl', 'a half that could be a line', '{"id":"a","type":"text"}\n{"id":"b","type":"text"}', ['a'], 2],
    ['csv', 'half of its head', 'id,ty', [], 1],
    ['csv', 'half of a row', 'id,type,title\na,text,A\nb,text,Half of a ti', ['a'], 3],
  ] as const)('the rest of a file is reported as lost (%s: only %s remains)', async (format, _name, left, ids, at) => {
    const puts: string[] = [];
    let [next, layout] = [{ offset: 0, line: 1 }, null as CsvLayout | null];
    for (;;) {
      const chunk: Chunk = await readChunk(
        stream(Buffer.from(left).subarray(next.offset)),
        { format, layout, next, bytes: 1_000 },
        validate,
      );
      puts.push(...chunk.operations.map(({ operation }) => operation.id));
      ({ next, layout } = chunk);
      if (chunk.end === null) continue;
      expect([chunk.end, chunk.errors, puts]).toEqual([
        'failed',
        [{ line: at, itemId: null, code: 'file_lost', faults: [] }],
        ids,
      ]);
      return;
    }
  });

  it('that are all blank import nothing', async () => {
    expect(await read('jsonl', '\n\r\n \n')).toMatchObject({ puts: [], errors: [], end: 'done' });
  });
});

describe('CSV', () => {
  // proves: decisions-imports/file
  it('has the columns that its header names, in any order, and empty cells for missing ones', async () => {
    const { puts, errors } = await read(
      'csv',
      '\uFEFFTitle,id, type ,available,published_at,properties,media\r\n' +
        '"Урок, ""первый""\nи второй",a,text,,2026-11-20T10:00:00Z,"{""level"":""B1""}",\r\n' +
        ',b,image,false,,,"[{""kind"":""image"",""url"":""https://a.b/c.jpg""}]"\r\n',
    );
    expect(errors).toEqual([]);
    expect(puts).toMatchObject([
      {
        line: 2,
        operation: {
          id: 'a',
          content: {
            title: 'Урок, "первый"\nи второй',
            available: true,
            properties: { level: 'B1' },
            publishedAt: new Date('2026-11-20T10:00:00Z'),
          },
        },
      },
      {
        line: 4,
        operation: {
          id: 'b',
          content: {
            title: null,
            available: false,
            media: [{ kind: 'image', url: 'https://a.b/c.jpg', version: null }],
          },
        },
      },
    ]);
  });

  it.each([[';'], ['\t'], [',']])('may be separated by %j', async (delimiter) => {
    const { puts, errors } = await read(
      'csv',
      [
        ['id', 'type', 'title'],
        ['a', 'text', '"1,5; 2\t"'],
      ]
        .map((row) => row.join(delimiter))
        .join('\n'),
    );
    expect(errors).toEqual([]);
    expect(puts[0]?.operation).toMatchObject({ content: { title: '1,5; 2\t' } });
  });

  it('does not count rows of empty cells towards a chunk', async () => {
    const { chunks, puts } = await read('csv', `id,type\n${',\n'.repeat(CHUNK_LINES)}a,text\n`);
    expect([chunks.length, puts]).toMatchObject([2, [{ line: CHUNK_LINES + 2 }]]);
  });

  it('skips rows of empty cells', async () => {
    expect(await read('csv', 'id,type\n,\n\na,text\n,\n')).toMatchObject({ puts: [{ line: 4 }], errors: [] });
  });

  // proves: decisions-imports/errors
  it.each([
    ['too few cells', 'a', 'invalid_csv', []],
    ['too many cells', 'a,text,x,true,y', 'invalid_csv', []],
    ['a quote that is closed too early', 'a,text,"x"y,', 'invalid_csv', []],
    ['a quote in a cell that is not quoted', 'a,text,x"y,', 'invalid_csv', []],
    ['no id', ',text,x,', 'validation_failed', [{ field: 'id', code: 'required' }]],
    ['no type', 'a,,x,', 'validation_failed', [{ field: 'type', code: 'required' }]],
    [
      'something other than a Boolean',
      'a,text,x,perhaps',
      'validation_failed',
      [{ field: 'available', code: 'invalid_type' }],
    ],
  ])('with %s in a row has an error for that row only', async (_name, row, code, faults) => {
    const { puts, errors } = await read('csv', `id,type,title,available\n${row}\nb,text,y,1\n`);
    expect(errors).toMatchObject([{ line: 2, code, faults }]);
    expect(puts).toMatchObject([{ line: 3, operation: { id: 'b' } }]);
  });

  it('whose properties are not JSON has an error for that field', async () => {
    const { errors } = await read('csv', 'id,type,properties\na,text,{level}\n');
    expect(errors).toMatchObject([{ line: 2, itemId: 'a', faults: [{ field: 'properties', code: 'invalid_type' }] }]);
  });

  it.each([
    ['an unknown column', 'id,type,colour\na,text,red\n', [{ field: 'colour', code: 'unknown_field' }]],
    ['no id', 'type\ntext\n', [{ field: 'id', code: 'required' }]],
    ['a column twice', 'id,type,id\na,text,b\n', [{ field: 'id', code: 'invalid_value' }]],
  ])('with %s in its header is not read at all', async (_name, text, faults) => {
    expect(await read('csv', text)).toMatchObject({
      puts: [],
      errors: [{ line: 1, code: 'invalid_header', faults }],
      end: 'failed',
    });
  });

  it('with only a header imports nothing', async () => {
    expect(await read('csv', 'id,type')).toMatchObject({ puts: [], errors: [], end: 'done' });
  });
});
