import { describe, expect, it } from '@jest/globals';
import { DEFAULT_LIMITS, extractionMs, MAX_DOWNLOAD_BYTES } from '../../../../activities/media/medium/mediaLimits.ts';

const MIB = 2 ** 20;

describe('the limits of a medium', () => {
  // proves: decisions-media/bytes
  it('allow a video of 2 GiB, an audio file of 500 MiB and an image of 30 MiB', () => {
    expect(MAX_DOWNLOAD_BYTES).toEqual({ video: 2_048 * MIB, audio: 500 * MIB, image: 30 * MIB });
  });

  // proves: decisions-media/decoder, decisions-media/duration, decisions-media/frames
  it('are the documented ones', () => {
    expect(DEFAULT_LIMITS).toMatchObject({
      probeMs: 20_000,
      imageMs: 20_000,
      durationSec: 4 * 3_600,
      streams: 32,
      candidates: 240,
      frames: 60,
      frameSide: 1_024,
      imagePixels: 50_000_000,
      threads: 2,
    });
  });

  // proves: decisions-media/decoder
  it('give an extraction a minute, or a quarter of the part that is analysed', () => {
    const seconds = [null, 0, 239, 241, 3_600, 4 * 3_600, 1e9].map(
      (duration) => extractionMs(duration, DEFAULT_LIMITS) / 1_000,
    );
    expect(seconds).toEqual([60, 60, 60, 60.25, 900, 3_600, 3_600]);
  });
});
