import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { describeAudio, type Workshop } from '../samples.ts';
import { openVideoWorkshop } from './videoWorkshop.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openVideoWorkshop();
});
afterAll(() => workshop?.close());

describe('a video', () => {
  it('has mono sound at 16 kHz on the time axis of the video', async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=64x64:r=10:d=6 -itsoffset 2 -f lavfi -i sine=d=4:r=44100 -ac 2 -c:v libx264 -c:a aac late.mkv',
    );
    const { outDir, audio } = await workshop.analyse('late.mkv', 'video');
    const { seconds, line } = await describeAudio(workshop, join(outDir, audio ?? ''));
    expect(line).toMatch(/flac, 16000 Hz, mono/);
    expect(seconds).toBeGreaterThan(5.8);
    expect(seconds).toBeLessThan(6.2);
  });

  it('without sound has no audio', async () => {
    await workshop.make('-i a.mp4 -an -c copy mute.mp4');
    const { audio, frames } = await workshop.analyse('mute.mp4', 'video');
    expect(audio).toBeNull();
    expect(frames.length).toBeGreaterThanOrEqual(3);
  });
});

describe('an audio medium', () => {
  it('with cover art yields sound and no frames', async () => {
    await workshop.make('-f lavfi -i testsrc2=s=64x64 -frames:v 1 cover.png');
    await workshop.make(
      '-f lavfi -i sine=d=3 -i cover.png -map 0 -map 1 -c:v copy -disposition:v attached_pic song.mp3',
    );
    await workshop.make(
      '-f lavfi -i sine=d=3 -i cover.png -map 0 -map 1 -c:a aac -c:v copy -disposition:v attached_pic song.m4a',
    );
    for (const name of ['song.mp3', 'song.m4a']) {
      const found = await workshop.analyse(name, 'audio');
      expect(found).toMatchObject({ width: null, height: null, audio: 'audio.flac', frames: [], truncated: false });
      expect(found.durationSec).toBeCloseTo(3, 0);
    }
    await expect(workshop.analyse('song.m4a', 'video')).rejects.toMatchObject({ code: 'no_video_stream' });
  });

  it('without a single sample is refused', async () => {
    await workshop.make('-f lavfi -i sine=d=1 -c:a pcm_s16le second.wav');
    const whole = await readFile(workshop.path('second.wav'));
    const head = Buffer.from(whole.subarray(0, whole.indexOf('data') + 8));
    head.writeUInt32LE(0, head.length - 4);
    await workshop.write('nothing.wav', head);
    await expect(workshop.analyse('nothing.wav', 'audio')).rejects.toMatchObject({ code: 'decode_failed' });
    await workshop.make('-f lavfi -i anullsrc=r=16000:cl=mono -t 0.01 -c:a pcm_s16le silent.wav');
    expect(await workshop.analyse('silent.wav', 'audio')).toMatchObject({ audio: 'audio.flac' });
  });

  it('may be in a video container, whose pictures are not decoded', async () => {
    expect(await workshop.analyse('a.mp4', 'audio')).toMatchObject({ audio: 'audio.flac', frames: [], width: null });
  });

  it('without sound is refused', async () => {
    await workshop.make('-i a.mp4 -an -c copy silent.mp4');
    await expect(workshop.analyse('silent.mp4', 'audio')).rejects.toMatchObject({
      code: 'no_audio_stream',
      permanent: true,
    });
  });
});
