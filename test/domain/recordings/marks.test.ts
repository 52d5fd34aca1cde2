import { expect, it } from '@jest/globals';
import { marksOf } from '../../../domain/recordings/marks.ts';

const custom = (tag: string, payload: object) => ({ type: 5, timestamp: 1, data: { tag, payload } });
const textsOf = (...events: object[]) => marksOf(JSON.stringify(events)).map(({ text }) => text ?? '');

it('the marks of a recording have no contact data, also where the limit of a text cuts it', () => {
  const filler = (length: number) => 'ab '.repeat(length).slice(0, length);
  const address = `https://shop.example/?q=${'a'.repeat(2_000)}`;
  const texts = textsOf(
    custom('svc-error', { message: `${filler(288)}jane.doe@example.org` }),
    custom('svc-error', { message: `${filler(290)}+7 916 123-45-67, no answer` }),
    custom('svc-click', { selector: `${filler(189)}jane.doe@example.org` }),
    custom('svc-page', { href: `${address}&x=jane.doe@example.org` }),
  );
  expect(texts.map(({ length }) => length)).toEqual([295, 300, 196, 2_034]);
  expect(texts.join(' ')).not.toMatch(/jane|916/);
});
