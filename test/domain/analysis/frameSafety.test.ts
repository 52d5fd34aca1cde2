import { describe, expect, it } from '@jest/globals';
import { withFrameSafety, type SeenFrame } from '../../../domain/analysis/frameSafety.ts';
import type { Moderation } from '../../../domain/analysis/results.ts';

const frame = (ts: number, safety: SeenFrame['safety']): SeenFrame => ({ mediumId: 'm', ts, safety });
const CLEAN = { sexual: 'none', violence: 'none' };
const UNSEEN: Moderation = { level: null, categories: { profanity: 'none' }, evidence: [] };
const judge = (moderation: Moderation, frames: SeenFrame[], hasText = true, pictures = frames) =>
  withFrameSafety(moderation, { frames, pictures, hasText });

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
    expect(judge({ ...UNSEEN, categories: null }, [frame(0, CLEAN)], false).level).toBe('none');
  });

  it.each<[string, Moderation, SeenFrame[], boolean, number]>([
    ['a picture was not described', UNSEEN, [frame(0, CLEAN)], true, 2],
    ['a category was not judged', UNSEEN, [frame(0, { sexual: 'none', violence: null })], true, 1],
    ['nobody judges pictures', UNSEEN, [frame(0, null)], true, 1],
    ['the text was not judged', { ...UNSEEN, categories: null }, [frame(0, CLEAN)], true, 1],
  ])('leaves the level unknown when %s', (_why, moderation, frames, hasText, pictures) => {
    const worthALook = Array.from({ length: pictures }, (_, ts) => frame(ts, null));
    expect(judge(moderation, frames, hasText, worthALook).level).toBeNull();
  });

  it('accepts no level that does not exist', () => {
    expect(judge(UNSEEN, [frame(0, { sexual: 'extreme' })]).level).toBeNull();
  });
});
