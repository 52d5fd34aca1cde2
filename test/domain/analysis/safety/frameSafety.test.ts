import { describe, expect, it } from '@jest/globals';
import type { Moderation } from '../../../../domain/analysis/results.ts';
import { safetyOfFrames, withFrameSafety, type SeenFrame } from '../../../../domain/analysis/safety/frameSafety.ts';
import type { ExaminedMedium } from '../../../../domain/analysis/safety/missingEvidence.ts';

const frame = (ts: number, safety: SeenFrame['safety']): SeenFrame => ({ mediumId: 'm', ts, safety });
const CLEAN = { sexual: 'none', violence: 'none' };
const UNSEEN: Moderation = { level: null, categories: { profanity: 'none' }, evidence: [] };
const HARMLESS: Moderation = { level: 'none', categories: { profanity: 'none' }, evidence: [] };
const READ: ExaminedMedium = { isPrepared: true, isTruncated: false, hasSound: true, isTranscribed: true };
type Seen = Parameters<typeof withFrameSafety>[1];
const judge = (moderation: Moderation, frames: SeenFrame[], seen: Partial<Seen> = {}) =>
  withFrameSafety(moderation, { frames, pictures: frames, shown: [], media: [READ], hasText: true, ...seen });

describe('the safety of frames', () => {
  it('raises the level of an item whose text is clean, and says where', () => {
    expect(judge(UNSEEN, [frame(0, CLEAN), frame(4, { sexual: 'high', violence: 'low' })])).toEqual({
      level: 'high',
      categories: { profanity: 'none', sexual: 'high', violence: 'low' },
      evidence: [
        { category: 'sexual', level: 'high', score: null, kind: 'frame', frame: 'm:4' },
        { category: 'violence', level: 'low', score: null, kind: 'frame', frame: 'm:4' },
      ],
    });
  });

  it("never lowers the moderator's level", () => {
    const moderation: Moderation = {
      level: 'high',
      categories: { violence: { level: 'high', score: 0.9 } },
      evidence: [{ category: 'violence', level: 'high' }],
    };
    const { level, categories, evidence } = judge(moderation, [frame(0, { violence: 'low' })]);
    expect([level, categories]).toEqual(['high', { violence: { level: 'high', score: 0.9 } }]);
    expect(evidence?.[0]).toEqual({ category: 'violence', level: 'high' });
  });

  it('makes an item harmless if text and all pictures were judged harmless', () => {
    expect(judge(UNSEEN, [frame(0, CLEAN), frame(4, CLEAN)]).level).toBe('none');
    expect(judge({ ...UNSEEN, categories: null }, [frame(0, CLEAN)], { hasText: false }).level).toBe('none');
  });

  it('leaves an item harmless if the moderator judged the pictures that the vision step did not', () => {
    const pictures = [frame(0, null), frame(4, null)];
    expect(judge(HARMLESS, [], { pictures, shown: pictures }).level).toBe('none');
    expect(judge(HARMLESS, [frame(0, CLEAN)], { pictures, shown: [frame(4, null)] }).level).toBe('none');
    expect(judge(HARMLESS, [], { media: [] }).level).toBe('none');
  });

  it.each<[string, Moderation, SeenFrame[], Partial<Seen>]>([
    ['a picture was not described', UNSEEN, [frame(0, CLEAN)], { pictures: [frame(0, null), frame(1, null)] }],
    ['a category was not judged', UNSEEN, [frame(0, { sexual: 'none', violence: null })], {}],
    ['there is nobody to judge pictures', UNSEEN, [frame(0, null)], {}],
    ['the text was not judged', { ...UNSEEN, categories: null }, [frame(0, CLEAN)], {}],
    ['only a part of the text was judged', { ...UNSEEN, categories: { profanity: null } }, [frame(0, CLEAN)], {}],
    ['the moderator received other pictures', HARMLESS, [frame(0, null), frame(1, null)], { shown: [frame(0, null)] }],
    ['the moderator could not judge its pictures', UNSEEN, [frame(0, null)], { shown: [frame(0, null)] }],
    ['a medium could not be read', HARMLESS, [], { media: [READ, { ...READ, isPrepared: false }] }],
    ['only the beginning of a medium was read', HARMLESS, [], { media: [{ ...READ, isTruncated: true }] }],
    ['nobody heard a medium', HARMLESS, [], { media: [{ ...READ, isTranscribed: false }] }],
    ['there is nothing to judge', { ...UNSEEN, categories: null }, [], { hasText: false }],
  ])('leaves the level unknown when %s', (_why, moderation, frames, seen) => {
    expect(judge(moderation, frames, seen).level).toBeNull();
  });

  it('keeps a level that was found, even if something else is unknown', () => {
    const media = [{ ...READ, isPrepared: false }];
    expect(judge({ ...HARMLESS, level: 'low' }, [], { media }).level).toBe('low');
    expect(judge(HARMLESS, [frame(0, { sexual: 'medium' })], { media }).level).toBe('medium');
  });

  it('lists the most severe evidence first, so that no number of lesser ones displaces it', () => {
    const lesser = Array.from({ length: 20 }, (_, at) => ({ category: 'profanity', level: 'low', term: `${at}` }));
    const { evidence } = judge({ ...HARMLESS, level: 'low', evidence: lesser }, [frame(7, { sexual: 'high' })]);
    expect(evidence).toHaveLength(20);
    expect(evidence?.[0]).toMatchObject({ level: 'high', frame: 'm:7' });
    expect(evidence?.[1]).toEqual(lesser[0]);
  });

  it('has only what was found if there is no moderator, and is null if nothing was found', () => {
    expect(safetyOfFrames([frame(0, CLEAN), frame(3, { sexual: 'high', violence: null })])).toEqual({
      level: 'high',
      categories: { sexual: 'high' },
      evidence: [{ category: 'sexual', level: 'high', score: null, kind: 'frame', frame: 'm:3' }],
    });
    expect(safetyOfFrames([frame(0, CLEAN)])).toBeNull();
    expect(safetyOfFrames([])).toBeNull();
  });

  it('accepts no level that does not exist', () => {
    expect(judge(UNSEEN, [frame(0, { sexual: 'extreme' })]).level).toBeNull();
  });
});
