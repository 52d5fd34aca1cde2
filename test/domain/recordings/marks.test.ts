import { expect, it } from '@jest/globals';
import { MARKED_MAX_TEXT_BYTES, marksOf } from '../../../domain/recordings/marks.ts';
import { cpuMsOf } from '../../support/cpuTime.ts';

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

const offsets = Array.from({ length: 24 }, (_, index) => index);

it.each(offsets)('nor where only the beginning of a very long text is read (%i characters later)', (offset) => {
  const filler = 'x'.repeat(offset);
  const names = encodeURIComponent('анна@почта.рф да '.repeat(20));
  const [error = '', page = '', encoded = '', removed = ''] = textsOf(
    custom('svc-error', { message: `${filler} ${'jane.doe@example.org '.repeat(1_000)}` }),
    custom('svc-page', { href: `https://shop.example/?f=${filler}${'&q=jane.doe@example.org'.repeat(1_000)}` }),
    custom('svc-page', { href: `https://shop.example/?f=${filler}&q=${names}${'%D0%B0'.repeat(1_000)}` }),
    custom('svc-page', { href: `https://shop.example/?f=${filler}&name=${'anna'.repeat(2_000)}` }),
  );
  expect(error).toMatch(/^x* (?:\[email\] ){20}/);
  expect(page).toMatch(/^https:.*(?:&q=\[email\]){5}/);
  expect(error + page).not.toMatch(/jane|doe|@/);
  expect(removed).toBe(`https://shop.example/?f=${filler}`);
  expect(encoded).toContain('[email]');
  expect(encoded).not.toContain(encodeURIComponent('анна').slice(0, 12));
});

it('a long text without contacts is kept up to its limit', () => {
  const texts = textsOf(
    custom('svc-error', { message: 'no such file '.repeat(10_000) }),
    custom('svc-click', { selector: 'div > p '.repeat(10_000) }),
    custom('svc-page', { href: `https://shop.example/${'%D0%B0'.repeat(10_000)}` }),
  );
  expect(texts.map(({ length }) => length)).toEqual([300, 200, 2_048]);
});

const filled = (part: string, length: number) => part.repeat(length / part.length);
const page = (href: string) => custom('svc-page', { href: `https://x/?${href}` });
const MOST = MARKED_MAX_TEXT_BYTES - 1_000;

it.each([
  ['escapes that are not UTF-8', [page(filled('a=%D0&', MOST))]],
  ['the same in many marks', Array.from({ length: 200 }, () => page(filled('a=%D0&', MOST / 210)))],
  ['the same nested', Array.from({ length: 200 }, () => page(filled('a=b%3D%253D%D0&', MOST / 210)))],
  ['addresses', [page(filled('/a@b.ru', MOST))]],
  ['one long key', [page(`${filled('aB', MOST)}=1`)]],
  ['encoded per cent signs', [page(`a=${filled('%25', MOST)}`)]],
  ['at signs in a message', [custom('svc-error', { message: filled('a@', MOST) })]],
])('the largest chunk does not occupy the process: %s', async (_, events) => {
  const json = JSON.stringify(events);
  expect(json.length).toBeGreaterThan(MARKED_MAX_TEXT_BYTES * 0.9);
  expect(json.length).toBeLessThanOrEqual(MARKED_MAX_TEXT_BYTES);
  expect(await cpuMsOf(() => marksOf(json))).toBeLessThan(3_000);
});

it('texts beyond the budget of a chunk are left out, their marks are not', () => {
  const marks = marksOf(JSON.stringify(Array.from({ length: 200 }, () => page(filled('a=1&', 20_000)))));
  expect(marks).toHaveLength(200);
  expect(marks[0]?.text).toHaveLength(2_048);
  expect(marks.at(-1)).toEqual({ at: 1, type: 'page', text: null });
});
