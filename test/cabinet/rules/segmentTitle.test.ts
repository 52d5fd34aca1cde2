/** The title that is suggested for a segment of a report's row. */
import { expect, it } from '@jest/globals';
import { cutTitle } from '../../../cabinet/src/data/report/cutTitle.ts';
import { limits } from '../../../cabinet/src/data/apiLimits.ts';

it('a title is cut to the maximum length, but no character in half', () => {
  const most = limits.createSegment_title;
  expect(cutTitle('Google')).toBe('Google');
  expect(cutTitle('a'.repeat(most + 1))).toBe('a'.repeat(most));
  expect(cutTitle(`${'a'.repeat(most - 2)}😀b`)).toBe(`${'a'.repeat(most - 2)}😀`);
  expect(cutTitle(`${'a'.repeat(most - 1)}😀`)).toBe('a'.repeat(most - 1));
});
