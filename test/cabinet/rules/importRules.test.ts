/** The rules of the imports page. */
import { describe, expect, it } from '@jest/globals';
import { faultRows } from '../../../cabinet/src/pages/content/imports/faultRows.ts';
import { checkFile } from '../../../cabinet/src/pages/content/imports/checkFile.ts';
import { en } from '../../../cabinet/src/words/en/index.ts';

const BOM = '\u{FEFF}';

describe('a file', () => {
  it.each([
    ['{"id": "a", "type": "text"}\n', { format: 'jsonl' }],
    [`${BOM}\n  {"id": "a"}`, { format: 'jsonl' }],
    ['id,type\na,text', { format: 'csv' }],
    [`${BOM}id;type\r\na;text`, { format: 'csv' }],
    ['', { refusal: 'empty' }],
    [' \n\n', { refusal: 'empty' }],
    ['[{"id": "a"}]', { refusal: 'json' }],
    ['{\n  "id": "a"\n}', { refusal: 'json' }],
  ])('that contains %j is %j', async (text, verdict) => {
    expect(await checkFile(new Blob([text]))).toEqual(verdict);
  });

  it.each([
    ['504b0304', 'packed'],
    ['d0cf11e0a1b1', 'packed'],
    ['1f8b08', 'packed'],
    ['fffe69006400', 'encoding'],
    ['69642cd3f0ee', 'encoding'],
  ])('with the bytes %s is refused: %s', async (hex, refusal) => {
    expect(await checkFile(new Blob([Buffer.from(hex, 'hex')]))).toEqual({ refusal });
  });

  it('may have a character that crosses the end of its first part', async () => {
    expect(await checkFile(new Blob([`${'a'.repeat(4_095)}Урок`]))).toEqual({ format: 'csv' });
  });
});

describe('an error', () => {
  const rowsOf = (code: string, details: Parameters<typeof faultRows>[0][number]['details']) =>
    faultRows([{ line: 7, id: 'a', code, message: '', details }], en).map(({ field, reason }) => [field, reason]);
  const detail = (field: string, code: string, more = {}) => ({ field, code, message: '', ...more });

  it('of a whole line is one row', () => {
    expect(rowsOf('invalid_json', [])).toEqual([[null, 'This line is not JSON.']]);
    expect(rowsOf('of_a_later_release', [])).toEqual([[null, 'of_a_later_release']]);
  });

  it('in fields is one row per field, with the allowed or expected values', () => {
    expect(
      rowsOf('validation_failed', [
        detail('type', 'invalid_value', { allowed: ['text', 'video'] }),
        detail('title', 'too_long', { limit: 1000 }),
        detail('available', 'invalid_type'),
        detail('title', 'invalid_type'),
        detail('', 'invalid_type'),
        detail('x', 'of_a_later_release'),
      ]),
    ).toEqual([
      ['type', 'This value is not allowed. Allowed values: text, video.'],
      ['title', 'Too long or too many: the limit is 1000.'],
      ['available', 'Write true or false.'],
      ['title', 'This value has the wrong type.'],
      [null, 'This value has the wrong type.'],
      ['x', 'The server did not accept this.'],
    ]);
  });

  it('in the header is about columns', () => {
    expect(rowsOf('invalid_header', [detail('kind', 'unknown_field')])).toEqual([
      ['kind', 'No field has this name. Rename the column or leave it out.'],
    ]);
  });
});
