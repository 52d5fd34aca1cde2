import { describe, expect, it } from '@jest/globals';
import Type from 'typebox';
import { batchError, createElementValidator, element } from '../../../api/http/batchElements.ts';
import { notFound, validationFailed, type FieldFault } from '../../../api/http/errors.ts';
import { mediaUrl, strictObject, text } from '../../../domain/schemas/schema.ts';
import { createValidators } from '../../../domain/schemas/validation.ts';

const validators = createValidators({ isMediaUrl: (url) => url.startsWith('https:') });
const Line = strictObject({ item: text(3), url: Type.Optional(mediaUrl()) });
const judge = createElementValidator(Line, (value) =>
  (value as { item?: unknown } | null)?.item === 'no'
    ? [
        { field: 'item', code: 'too_old' },
        { field: 'rule', code: 'invalid_value' },
      ]
    : [],
);
const plain = (faults: FieldFault[]) => faults.map(({ field, code }) => `${field}: ${code}`);

describe('an element', () => {
  it('is validated like a whole body, with its own paths', () => {
    expect(judge({ item: 'ab', url: 'https://x.test/' }, validators)).toEqual([]);
    expect(plain(judge({ item: 'abcd', url: 'http://x.test/', more: 1 }, validators)).sort()).toEqual([
      'item: too_long',
      'more: unknown_field',
      'url: invalid_url',
    ]);
    expect(plain(judge({ item: 'a\0' }, validators))).toEqual(['item: invalid_value']);
    expect(plain(judge('text', validators))).toEqual([': invalid_type']);
    expect(plain(judge({}, validators))).toEqual(['item: required']);
  });

  it('reports faults of its schema together with faults of its rules', () => {
    expect(plain(judge({ item: 'no', url: 5 }, validators)).sort()).toEqual([
      'item: too_old',
      'rule: invalid_value',
      'url: invalid_type',
    ]);
  });

  it('is validated by the given validators', () => {
    const lenient = createValidators({ isMediaUrl: () => true });
    expect(plain(judge({ item: 'a', url: 'ftp://x.test/' }, validators))).toEqual(['url: invalid_url']);
    expect(plain(judge({ item: 'a', url: 'ftp://x.test/' }, lenient))).toEqual([]);
  });
});

describe('an envelope', () => {
  const Envelope = strictObject({
    lines: Type.Array(strictObject({ id: text(3), data: Type.Optional(element(Line)) }), { maxItems: 3 }),
  });
  const Lines = strictObject({ lines: Type.Array(element(Line)) });
  const validate = validators(Envelope);

  it('ignores faults in its elements', () => {
    expect(
      validate({ lines: [{ id: 'a', data: 7 }, { id: 'b', data: { item: '\0', '\uD800': 1 } }, { id: 'c' }] }),
    ).toEqual([]);
    expect(validators(Lines)({ lines: ['\0', null, { item: Number.POSITIVE_INFINITY }] })).toEqual([]);
  });

  it('reports its own faults', () => {
    expect(
      plain(validate({ lines: [{ id: 'a\0', data: '\0' }, { data: null }, { id: 'c', extra: 1 }] })).sort(),
    ).toEqual(['lines[0].id: invalid_value', 'lines[1].id: required', 'lines[2].extra: unknown_field']);
    expect(plain(validate({ lines: 5 }))).toEqual(['lines: invalid_type']);
    expect(plain(validate([]))).toEqual([': invalid_type']);
  });

  it('does not change its input', () => {
    const body = { lines: [{ id: 'a', data: { item: 'x' } }] };
    validate(body);
    expect(body).toEqual({ lines: [{ id: 'a', data: { item: 'x' } }] });
  });
});

it('an error of an element is described like that of a whole request', () => {
  expect(batchError(validationFailed([{ field: 'title', code: 'required' }]))).toEqual({
    code: 'validation_failed',
    message: expect.any(String),
    details: [{ field: 'title', code: 'required', message: expect.any(String) }],
  });
  expect(batchError(notFound())).toEqual({ code: 'not_found', message: 'Не найдено', details: null });
});
