import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { bombPng, openWorkshop, type Workshop } from '../samples.ts';

let workshop: Workshop;

beforeAll(async () => {
  workshop = await openWorkshop();
});
afterAll(() => workshop.close());

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } });
const only = (outDir: string, file = 'image.jpg') => join(outDir, file);

describe('an image', () => {
  // proves: decisions-media/images
  it('is rotated upright and loses its EXIF data, including GPS', async () => {
    const blueLeft = await plain(40, 120, 'blue').png().toBuffer();
    await workshop.write(
      'phone.jpg',
      await plain(200, 120, 'red')
        .composite([{ input: blueLeft, left: 0, top: 0 }])
        .withExif({ IFD0: { Artist: 'Somebody' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '55/1 45/1 0/1' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    );
    expect(await sharp(workshop.path('phone.jpg')).metadata()).toMatchObject({
      orientation: 6,
      exif: expect.anything(),
    });

    const { outDir, ...found } = await workshop.analyse('phone.jpg', 'image');
    expect(found).toMatchObject({
      width: 120,
      height: 200,
      durationSec: null,
      truncated: false,
      audio: null,
      subtitles: null,
    });
    expect(found.frames).toEqual([
      { ts: 0, file: 'image.jpg', dhash: expect.stringMatching(/^[0-9a-f]{16}$/), duplicateOfTs: null, flat: false },
    ]);
    const kept = await sharp(only(outDir)).metadata();
    expect(kept).toMatchObject({ width: 120, height: 200, format: 'jpeg' });
    expect([kept.exif, kept.orientation, kept.xmp, kept.iptc]).toEqual([undefined, undefined, undefined, undefined]);
    const bytes = await readFile(only(outDir), 'latin1');
    expect(bytes).not.toMatch(/Exif|Somebody/);
    // rotated clockwise, the left edge is at the top
    const { data, info } = await sharp(only(outDir)).raw().toBuffer({ resolveWithObject: true });
    expect(data[(5 * info.width + 60) * 3 + 2]).toBeGreaterThan(200);
    expect(data[(195 * info.width + 60) * 3 + 2]).toBeLessThan(60);
  });

  it('has the hash of its upright picture', async () => {
    await workshop.make('-f lavfi -i mandelbrot=s=320x200 -frames:v 1 upright.png');
    await workshop.write(
      'turned.jpg',
      await sharp(workshop.path('upright.png'))
        .rotate(270)
        .withMetadata({ orientation: 6 })
        .jpeg({ quality: 95 })
        .toBuffer(),
    );
    const [upright, turned] = [
      await workshop.analyse('upright.png', 'image'),
      await workshop.analyse('turned.jpg', 'image'),
    ];
    expect([turned.width, turned.height]).toEqual([320, 200]);
    expect(turned.frames[0]?.dhash).toBe(upright.frames[0]?.dhash);
  });

  // proves: decisions-media/frames
  it('is scaled down to 1024 pixels, with transparency turned white', async () => {
    await workshop.write(
      'clear.png',
      await sharp({ create: { width: 3000, height: 1500, channels: 4, background: '#00000000' } })
        .png()
        .toBuffer(),
    );
    const { outDir, width, height, frames } = await workshop.analyse('clear.png', 'image');
    expect([width, height]).toEqual([3000, 1500]);
    expect(await sharp(only(outDir)).metadata()).toMatchObject({ width: 1024, height: 512 });
    expect((await sharp(only(outDir)).stats()).channels[0]?.mean).toBeGreaterThan(254);
    expect(frames[0]?.flat).toBe(true);
  });

  it.each([
    ['white letters get a dark background', '#ffffff', 0],
    ['black letters get a light one', '#000000', 255],
  ])('with transparent parts stays readable: %s', async (_, colour, background) => {
    const stroke = await plain(20, 200, colour).png().toBuffer();
    const picture = sharp({ create: { width: 300, height: 240, channels: 4, background: '#00000000' } }).composite(
      [40, 120, 200].map((left) => ({ input: stroke, left, top: 20 })),
    );
    for (const [name, drawn] of [
      ['letters.png', await picture.clone().png().toBuffer()],
      ['grey.png', await picture.clone().toColourspace('b-w').png().toBuffer()],
      ['deep.png', await picture.clone().toColourspace('rgb16').png().toBuffer()],
      ['letters.webp', await picture.clone().webp().toBuffer()],
      ['letters.gif', await picture.clone().gif().toBuffer()],
    ] as const) {
      await workshop.write(name, drawn);
      const { outDir, frames } = await workshop.analyse(name, 'image');
      expect([name, frames[0]?.flat]).toEqual([name, false]);
      const { data } = await sharp(only(outDir)).greyscale().raw().toBuffer({ resolveWithObject: true });
      expect(Math.abs((data[120 * 300 + 5] ?? -1) - background)).toBeLessThan(8);
      expect(Math.abs((data[120 * 300 + 50] ?? -1) - (255 - background))).toBeLessThan(8);
    }
  });

  it('may have further channels after its transparency, as files for printing do', async () => {
    const raw = { width: 64, height: 48, channels: 4 } as const;
    const picture = sharp(Buffer.alloc(64 * 48 * 4, Buffer.from([200, 40, 40, 255])), { raw })
      .joinChannel(Buffer.alloc(64 * 48, 50), { raw: { ...raw, channels: 1 } })
      .toColourspace('srgb');
    await workshop.write('print.tiff', await picture.tiff({ compression: 'none' }).toBuffer());
    expect(await sharp(workshop.path('print.tiff')).metadata()).toMatchObject({ channels: 5 });
    const { outDir } = await workshop.analyse('print.tiff', 'image');
    const { channels } = await sharp(only(outDir)).stats();
    expect(channels.map(({ mean }) => Math.round(mean / 20) * 20)).toEqual([200, 40, 40]);
  });

  it.each(['webp', 'avif', 'tiff', 'png', 'jpeg', 'gif'] as const)('may be %s', async (format) => {
    await workshop.write(`a.${format}`, await plain(64, 48, 'green').toFormat(format).toBuffer());
    expect(await workshop.analyse(`a.${format}`, 'image')).toMatchObject({
      width: 64,
      height: 48,
      frames: [{ ts: 0 }],
      truncated: false,
    });
  });

  it('that is too narrow to be seen once it is small is flagged as truncated', async () => {
    for (const [width, height, truncated] of [
      [600, 12_000, true],
      [12_000, 600, true],
      [600, 6_000, false],
      [3, 900, false],
    ] as const) {
      await workshop.write('strip.png', await plain(width, height, 'green').png().toBuffer());
      expect([width, (await workshop.analyse('strip.png', 'image')).truncated]).toEqual([width, truncated]);
    }
  });

  it.each([
    ['an animated PNG', 'moving.png', '-plays 0 -f apng'],
    ['an animated AVIF', 'moving.avif', '-c:v libaom-av1 -cpu-used 8'],
    ['a TIFF of several pages', 'pages.tiff', ''],
  ])('of which only the first picture is decoded is flagged as truncated: %s', async (_, name, coding) => {
    if (coding !== '') await workshop.make(`-f lavfi -i testsrc=s=64x48:d=1:r=4 -pix_fmt yuv420p ${coding} ${name}`);
    if (name.endsWith('avif')) {
      // libvips decodes the still picture of an animation only if the first brand is that of a picture.
      const bytes = await readFile(workshop.path(name));
      await workshop.write(name, Buffer.concat([bytes.subarray(0, 8), Buffer.from('avif'), bytes.subarray(12)]));
    }
    if (coding === '') {
      const pages = await Promise.all(['red', 'green'].map((colour) => plain(64, 48, colour).png().toBuffer()));
      await workshop.write(
        name,
        await sharp(pages, { join: { animated: true } })
          .tiff()
          .toBuffer(),
      );
    }
    expect(await workshop.analyse(name, 'image')).toMatchObject({ frames: [{ ts: 0 }], truncated: true });
  });
});

describe('an animation', () => {
  /** Returns frames in red, green, red, blue with delays in ms, the first of which browsers show as 100. */
  async function animation(format: 'gif' | 'webp'): Promise<Buffer> {
    const pages = await Promise.all(
      ['red', 'lime', 'red', 'blue'].map((color, at) =>
        plain(60, 40, 'white')
          .composite([
            {
              input: { create: { width: 10 + at * 8, height: 30, channels: 3, background: color } },
              left: at === 2 ? 0 : at * 6,
              top: 4,
            },
          ])
          .png()
          .toBuffer(),
      ),
    );
    const first = pages[0];
    const strip = first === undefined ? [] : [first, pages[1] ?? first, first, pages[3] ?? first];
    const joined = sharp(strip, { join: { animated: true } });
    return await (
      format === 'gif' ? joined.gif({ delay: [10, 500, 500, 1000] }) : joined.webp({ delay: [10, 500, 500, 1000] })
    ).toBuffer();
  }

  // proves: decisions-media/images
  it.each(['gif', 'webp'] as const)('in the format %s yields its pages with their times', async (format) => {
    await workshop.write(`moving.${format}`, await animation(format));
    const { outDir, ...found } = await workshop.analyse(`moving.${format}`, 'image');
    expect(found).toMatchObject({ width: 60, height: 40, durationSec: 2.1, truncated: false, audio: null });
    expect(found.frames.map(({ ts, duplicateOfTs }) => [ts, duplicateOfTs])).toEqual([
      [0, null],
      [0.1, null],
      [0.6, 0],
      [1.1, null],
    ]);
    expect((await readdir(outDir)).sort()).toEqual(found.frames.map(({ file }) => file).sort());
    const { data } = await sharp(only(outDir, found.frames[1]?.file)).raw().toBuffer({ resolveWithObject: true });
    const middle = (20 * 60 + 10) * 3;
    expect([data[middle], data[middle + 1], data[middle + 2]].map((value) => (value ?? 0) > 128)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('is rotated upright, page by page', async () => {
    await workshop.write(
      'turned.webp',
      await sharp(await animation('webp'), { pages: -1 })
        .withMetadata({ orientation: 6 })
        .webp({ lossless: true })
        .toBuffer(),
    );
    expect(await sharp(workshop.path('turned.webp')).metadata()).toMatchObject({ orientation: 6, pages: 4 });
    const { outDir, width, height, frames } = await workshop.analyse('turned.webp', 'image');
    expect([width, height, frames.length]).toEqual([40, 60, 4]);
    const { data, info } = await sharp(only(outDir, frames[1]?.file)).raw().toBuffer({ resolveWithObject: true });
    expect([info.width, info.height]).toEqual([40, 60]);
    // The green bar at the left is at the top now.
    const [top, bottom] = [(10 * 40 + 20) * 3, (50 * 40 + 20) * 3];
    expect([data[top], data[top + 1]].map((value) => (value ?? 0) > 128)).toEqual([false, true]);
    expect([data[bottom], data[bottom + 1]].map((value) => (value ?? 0) > 128)).toEqual([true, true]);
  });

  it('with transparent pages keeps one background on which all of them can be seen', async () => {
    const pages = await Promise.all(
      [10, 40, 70].map(async (left) =>
        sharp({ create: { width: 120, height: 80, channels: 4, background: '#00000000' } })
          .composite([{ input: await plain(12, 60, 'white').png().toBuffer(), left, top: 10 }])
          .png()
          .toBuffer(),
      ),
    );
    await workshop.write(
      'letters.webp',
      await sharp(pages, { join: { animated: true } })
        .webp({ lossless: true, delay: [500, 500, 500] })
        .toBuffer(),
    );
    const { outDir, frames } = await workshop.analyse('letters.webp', 'image');
    expect(frames.map(({ ts, flat }) => [ts, flat])).toEqual([
      [0, false],
      [0.5, false],
      [1, false],
    ]);
    for (const { file } of frames) {
      const { data } = await sharp(only(outDir, file)).greyscale().raw().toBuffer({ resolveWithObject: true });
      expect(data[0]).toBeLessThan(8);
    }
  });

  it('is read as far as the pixel limit, and flagged', async () => {
    await workshop.write('moving.gif', await animation('gif'));
    const { truncated, frames } = await workshop.analyse('moving.gif', 'image', {
      limits: { imagePixels: 60 * 40 * 2 },
    });
    expect(truncated).toBe(true);
    expect(frames.map(({ ts }) => ts)).toEqual([0, 0.1]);
  });

  it('of hundreds of pages keeps at most 60', async () => {
    await workshop.make('-f lavfi -i testsrc2=s=64x64:r=25:d=12 many.gif');
    const { frames, truncated } = await workshop.analyse('many.gif', 'image');
    expect(frames.length).toBeLessThanOrEqual(60);
    expect(frames.length).toBeGreaterThan(20);
    expect(truncated).toBe(true); // 300 pages, 240 of which are decoded
  });
});

describe('a bad image', () => {
  const refused = async (name: string, code: string, limits = {}) => {
    const outDir = await workshop.outDir();
    await expect(workshop.analyse(name, 'image', { outDir, limits })).rejects.toMatchObject({
      name: 'MediaError',
      code,
      permanent: true,
    });
    expect(await readdir(outDir)).toEqual([]);
  };

  // proves: decisions-media/decoder
  it('of 2.5 gigapixels is refused at almost no cost', async () => {
    await workshop.write('bomb.png', bombPng(50_000, 50_000));
    const memory = process.memoryUsage().rss;
    await refused('bomb.png', 'image_too_large');
    // Decoded it would take 7.5 GB.
    expect(process.memoryUsage().rss - memory).toBeLessThan(500e6);
  });

  it('that ends early is refused', async () => {
    // libpng does not distinguish truncation from other damage
    for (const [name, code] of [
      ['jpg', 'media_truncated'],
      ['gif', 'media_truncated'],
      ['png', 'decode_failed'],
    ] as const) {
      await workshop.make(`-f lavfi -i mandelbrot=s=640x480 -frames:v 1 whole.${name}`);
      const whole = await readFile(workshop.path(`whole.${name}`));
      await workshop.write(`cut.${name}`, whole.subarray(0, whole.length / 2));
      await refused(`cut.${name}`, code);
    }
  });

  it('with a valid beginning followed by noise is refused', async () => {
    await workshop.write(
      'noise.webp',
      Buffer.concat([Buffer.from('RIFF\x00\x10\x00\x00WEBPVP8 ', 'latin1'), Buffer.alloc(4000, 0x5a)]),
    );
    await refused('noise.webp', 'decode_failed');
  });

  it('that takes too long is abandoned', async () => {
    await workshop.write('large.png', await plain(6000, 6000, 'green').png({ compressionLevel: 1 }).toBuffer());
    await refused('large.png', 'processing_timeout', { imageMs: 20 });
  });
});
