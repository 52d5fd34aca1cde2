import { describe, expect, it } from '@jest/globals';
import { speechWithSubtitles } from '../../providers/speechWithSubtitles.ts';
import { ProviderError } from '../../providers/errors.ts';
import type { SpeechCapability, TranscriptSegment } from '../../providers/types.ts';
import { fakeResult } from '../support/fakeProviders.ts';
import { callContext } from './openai/support.ts';

const speaks = (text: string, segments: TranscriptSegment[] = []): SpeechCapability => ({
  model: text,
  skipReason: 'no_audio',
  canTranscribe: () => true,
  run: () => Promise.resolve(fakeResult({ language: null, timestamps: 'model', text, segments })),
});
const cue = (start: number, end: number): TranscriptSegment => ({ start, end, text: 'x', speaker: null });
/** Ten minutes: speech for the first five, then silence. */
const LEVELS = Array.from({ length: 600 }, (_, second) => (second < 300 ? -20 : -80));
const INPUT = { audioPath: '/a.flac', subtitlesPath: '/a.vtt', durationSec: 600, language: null };

async function heard(segments: TranscriptSegment[], input: Partial<typeof INPUT> | { audioPath: null } = {}) {
  const speech = speechWithSubtitles(speaks('recognised'), speaks('authored', segments), () => Promise.resolve(LEVELS));
  return (await speech.run({ ...INPUT, ...input }, callContext())).value.text;
}

describe('authored subtitles', () => {
  it('are used if they cover the speech, however much is silent', async () => {
    expect(await heard(Array.from({ length: 30 }, (_, index) => cue(index * 10, index * 10 + 3)))).toBe('authored');
  });

  it.each([
    ['of a few words alone', [cue(10, 12), cue(200, 202)]],
    ['in the silence', [cue(400, 590)]],
    ['that are empty', []],
  ])('give way to the recogniser: %s', async (_what, segments) => {
    expect(await heard(segments)).toBe('recognised');
  });

  it('that cannot be read give way to the recogniser', async () => {
    const broken = {
      ...speaks(''),
      run: () => Promise.reject(new ProviderError('retryable', 'subtitles_unreadable', '')),
    };
    const speech = speechWithSubtitles(speaks('recognised'), broken, () => Promise.resolve(LEVELS));
    expect((await speech.run(INPUT, callContext())).value.text).toBe('recognised');
  });

  it('are all that a medium without sound has', async () => {
    expect(await heard([], { audioPath: null })).toBe('authored');
  });
});
