/** The text for a moderator, and the mapping from a position in it back to the item. */
import { describe, expect, it } from '@jest/globals';
import {
  joinParts,
  moderatedParts,
  placeIn,
  type ModeratedTexts,
} from '../../../../domain/analysis/safety/moderatedText.ts';

const said = (text: string, start: number) => ({ start, end: start + 3, text, speaker: null });
const TEXTS: ModeratedTexts = {
  title: 'A tram',
  description: '  ',
  body: 'It turns. It turns again.',
  transcripts: [
    {
      mediumId: 'one',
      text: 'Hello there. Hello again.',
      segments: [said('Hello there.', 0), said('Hello again.', 65.5)],
    },
    { mediumId: 'two', text: 'Nothing fits.', segments: [said('Other words', 4)] },
  ],
  frames: [
    { mediumId: 'one', ts: 4, ocrText: null },
    { mediumId: 'one', ts: 8, ocrText: 'STOP' },
  ],
};
const PARTS = moderatedParts(TEXTS);
const TEXT = joinParts(PARTS);

const find = (words: string, from = 0) => placeIn(PARTS, { offset: TEXT.indexOf(words, from), length: words.length });

describe('the text for a moderator', () => {
  it('contains every non-empty part, in order', () => {
    expect(TEXT).toBe('A tram\n\nIt turns. It turns again.\n\nHello there. Hello again.\n\nNothing fits.\n\nSTOP');
    expect(moderatedParts({ title: null, description: null, body: '', transcripts: [], frames: [] })).toEqual([]);
  });
});

describe('a position in the text for a moderator', () => {
  it.each([
    ['A tram', { part: 'title', mediumId: null, ts: null, offset: 0 }],
    ['again.', { part: 'body', mediumId: null, ts: null, offset: 19 }],
    ['there', { part: 'transcript', mediumId: 'one', ts: 0, offset: 6 }],
    ['Hello again', { part: 'transcript', mediumId: 'one', ts: 65.5, offset: 13 }],
    ['fits', { part: 'transcript', mediumId: 'two', ts: null, offset: 8 }],
    ['STOP', { part: 'frame', mediumId: 'one', ts: 8, offset: 0 }],
  ])('leads back to the item: %s', (words, place) => {
    expect(find(words)).toEqual({ ...place, length: words.length });
  });

  it('does not reach beyond the part that it begins in', () => {
    expect(placeIn(PARTS, { offset: TEXT.indexOf('STOP') + 1, length: 90 })).toMatchObject({ offset: 1, length: 3 });
  });

  it('does not exist between the parts or after the end', () => {
    for (const offset of [7, TEXT.length, TEXT.length + 10, -1])
      expect(placeIn(PARTS, { offset, length: 1 })).toBeNull();
  });
});
