import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openWorkshop, type Workshop } from '../samples.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop?.close());

/** Makes the contents of all packets from a time on unreadable. */
function damagedFlv(whole: Buffer, fromMs: number): Buffer {
  const bytes = Buffer.from(whole);
  for (let at = 13; at < bytes.length;) {
    const [type, size] = [bytes[at], bytes.readUIntBE(at + 1, 3)];
    const head = type === 9 ? 5 : 2; // the kinds of the codec and of the packet
    if (type !== 18 && bytes.readUIntBE(at + 4, 3) >= fromMs) bytes.fill(0x5b, at + 11 + head, at + 11 + size);
    at += 11 + size + 4;
  }
  return bytes;
}

describe('a recording of Flash, whose stated duration may be an estimate,', () => {
  beforeAll(async () => {
    await workshop.make(
      '-f lavfi -i testsrc2=s=64x64:r=5:d=60 -f lavfi -i sine=d=60 -c:v libx264 -preset ultrafast -g 25 -pix_fmt yuv420p -c:a aac whole.flv',
    );
    await workshop.write('damaged.flv', damagedFlv(await readFile(workshop.path('whole.flv')), 10_000));
  });

  it.each(['video', 'audio'] as const)('is flagged if it cannot be decoded to its end, as %s', async (kind) => {
    expect(await workshop.analyse('whole.flv', kind)).toMatchObject({
      durationSec: expect.closeTo(60, 0),
      truncated: false,
    });
    expect(await workshop.analyse('damaged.flv', kind)).toMatchObject({
      durationSec: expect.closeTo(60, 0),
      truncated: true,
    });
  });

  it('is flagged without sound too', async () => {
    await workshop.make('-i whole.flv -an -c copy mute.flv');
    await workshop.write('damaged-mute.flv', damagedFlv(await readFile(workshop.path('mute.flv')), 10_000));
    expect(await workshop.analyse('damaged-mute.flv', 'video')).toMatchObject({ truncated: true });
  });

  it('is not flagged if its frames were selected for a longer video', async () => {
    await workshop.make('-i whole.flv -t 20 -c copy short.flv');
    await workshop.make('-i whole.flv -t 20 -an -c copy short-mute.flv');
    for (const name of ['short.flv', 'short-mute.flv']) {
      const bytes = Buffer.from(await readFile(workshop.path(name)));
      bytes.writeDoubleBE(3_600, bytes.indexOf('duration') + 'duration'.length + 1);
      await workshop.write('wrong.flv', bytes);
      const { durationSec, truncated } = await workshop.analyse('wrong.flv', 'video');
      expect([name, durationSec, truncated]).toEqual([name, expect.closeTo(20, 0), false]);
    }
  });

  it('is flagged if its file breaks off', async () => {
    const whole = await readFile(workshop.path('whole.flv'));
    await workshop.write('cut.flv', whole.subarray(0, whole.length / 2));
    for (const kind of ['video', 'audio'] as const) {
      const { durationSec, truncated } = await workshop.analyse('cut.flv', kind);
      expect([kind, durationSec, truncated]).toEqual([kind, expect.closeTo(30, -1), true]);
    }
  });

  it('is kept as far as it was decoded if its length cannot be measured in time', async () => {
    const { durationSec, truncated, frames } = await workshop.analyse('damaged.flv', 'video', {
      limits: { extractMs: 1, extractShare: 5 },
    });
    expect([durationSec, truncated]).toEqual([expect.closeTo(10, 0), true]);
    expect(frames.length).toBeGreaterThan(1);
  });
});
