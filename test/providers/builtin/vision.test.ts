import { existsSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { createBuiltinProviders, type BuiltinProviders } from '../../../providers/builtin/index.ts';
import { createVision } from '../../../providers/builtin/vision.ts';
import { createOcr, type Ocr } from '../../../providers/builtin/vision/ocr.ts';
import type { CallContext } from '../../../providers/types.ts';
import { testNudityModel, testTessdataDirs } from '../../support/programs/engines.ts';

const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };
/** A rocket at dusk, with white letters. */
const POSTER = join(import.meta.dirname, '../../../tools/samples/yardstick/pictures/poster-en.jpg');

let folder: string;
let providers: BuiltinProviders;

const path = (name: string): string => join(folder, name);
const frame = (name: string): { id: string; path: string } => ({ id: `0:${name}`, path: path(name) });

function card(text: string, background: string, ink: string): Buffer {
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="240"><rect width="900" height="240" fill="${background}"/><text x="40" y="140" font-family="DejaVu Sans, Arial, sans-serif" font-size="56" fill="${ink}">${text}</text></svg>`,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-vision-'));
  const noise = {
    create: {
      width: 640,
      height: 360,
      channels: 3 as const,
      background: '#808080',
      noise: { type: 'gaussian' as const, mean: 128, sigma: 40 },
    },
  };
  await sharp(card('Quarterly report for the board', '#ffffff', '#111111'))
    .jpeg()
    .toFile(path('text.jpg'));
  await sharp({ create: { width: 640, height: 360, channels: 3, background: '#20a040' } })
    .jpeg()
    .toFile(path('flat.jpg'));
  await sharp(noise).jpeg().toFile(path('noise.jpg'));
  await sharp(noise).blur(12).jpeg().toFile(path('blurred.jpg'));
  await writeFile(path('broken.jpg'), 'not a picture');
  providers = createBuiltinProviders({ tessdataDirs: [] });
});

afterAll(async () => {
  await providers.close();
  await rm(folder, { recursive: true, force: true });
});

describe('vision', () => {
  it('reads text, names colours and quality, and leaves safety open', async () => {
    const { value, warnings, provenance, usage } = await providers.vision.run(
      { frames: [frame('text.jpg'), frame('flat.jpg'), frame('noise.jpg')], language: null },
      context,
    );
    expect(value).toEqual([
      {
        id: '0:text.jpg',
        description: expect.stringContaining('mostly white'),
        ocrText: 'Quarterly report for the board',
        tags: null,
        safety: null,
      },
      {
        id: '0:flat.jpg',
        description: 'Изображение: преобладает зелёный цвет; однотонное.',
        ocrText: null,
        tags: null,
        safety: null,
      },
      {
        id: '0:noise.jpg',
        description: 'Изображение: преобладает серый цвет; резкое.',
        ocrText: null,
        tags: null,
        safety: null,
      },
    ]);
    expect(warnings).toEqual(['ocr_without_russian']);
    expect(provenance.model).toBe('builtin-vision-6');
    expect(usage.images).toBe(3);
  });

  it('reads white letters on a photograph', async () => {
    const { value } = await providers.vision.run({ frames: [{ id: '0', path: POSTER }], language: null }, context);
    expect(value[0]?.ocrText).toBe('OPEN DAY\nMeet the engineers');
  });

  it.each([90, 180, 270])('reads a picture turned by %i degrees, but not such a frame of a video', async (turn) => {
    const slide = join(import.meta.dirname, '../../../tools/samples/yardstick/pictures/slide-en.png');
    await sharp(slide)
      .rotate(turn)
      .jpeg({ quality: 85 })
      .toFile(path(`turned-${turn}.jpg`));
    const frames = [frame(`turned-${turn}.jpg`)];
    const { value } = await providers.vision.run({ frames, language: null, mayBeRotated: true }, context);
    expect(value[0]?.ocrText).toContain('Fight for the centre\nBring out the knights early');
    expect(value[0]?.description).toContain('It has text.');
    const { value: ofVideo } = await providers.vision.run({ frames, language: null }, context);
    expect(ofVideo[0]?.ocrText ?? '').not.toContain('centre');
  });

  it('reads small print', async () => {
    const page = join(import.meta.dirname, '../../../tools/samples/yardstick/pictures/page-en.png');
    await sharp(page).resize({ height: 600 }).jpeg({ quality: 90 }).toFile(path('small.jpg'));
    const { value } = await providers.vision.run({ frames: [frame('small.jpg')], language: null }, context);
    expect(value[0]?.ocrText).toContain('Oil on the outside only collects dust.');
    expect(value[0]?.ocrText).toContain('look for a stiff link. Bend it gently');
  });

  it('describes a picture in the language of its text, or in the fallback language if it has none', async () => {
    const describe = async (name: string, fallback?: string) => {
      const input = { frames: [frame(name)], language: null, ...(fallback && { fallback }) };
      return (await providers.vision.run(input, context)).value[0]?.description;
    };
    expect(await describe('text.jpg')).toContain('It has text.');
    expect(await describe('blurred.jpg')).toContain('Изображение');
    expect(await describe('blurred.jpg', 'en')).toContain('Picture');
  });

  it('does not describe a blurred picture as sharp', async () => {
    const { value } = await providers.vision.run({ frames: [frame('blurred.jpg')], language: null }, context);
    expect(value[0]?.description).not.toContain('; резкое');
  });

  it('leaves out a broken frame, and fails if all are broken', async () => {
    const { value, warnings } = await providers.vision.run(
      { frames: [frame('broken.jpg'), frame('flat.jpg')], language: null },
      context,
    );
    expect(value.map(({ id }) => id)).toEqual(['0:flat.jpg']);
    expect(warnings).toContain('frames_unreadable:1');
    await expect(
      providers.vision.run({ frames: [frame('broken.jpg')], language: null }, context),
    ).rejects.toMatchObject({
      kind: 'permanent',
      code: 'frames_unreadable',
    });
  });

  it('keeps the frame when its OCR runs out of time', async () => {
    const hasty = createBuiltinProviders({ tessdataDirs: [], ocrTimeoutMs: 1 });
    const { value, warnings } = await hasty.vision.run({ frames: [frame('text.jpg')], language: null }, context);
    expect(value[0]?.ocrText).toBeNull();
    expect(warnings).toContain('ocr_timeout:1');
    await hasty.close();
  });

  it('ends OCR when aborted', async () => {
    const controller = new AbortController();
    const job = providers.vision.run(
      { frames: [frame('text.jpg')], language: null },
      { ...context, signal: controller.signal },
    );
    setImmediate(() => controller.abort(new Error('cancelled')));
    await expect(job).rejects.toThrow('cancelled');
  });

  it('survives broken language data', async () => {
    const tessdata = await mkdtemp(join(tmpdir(), 'attune-bad-tessdata-'));
    await writeFile(join(tessdata, 'eng.traineddata'), Buffer.alloc(200_000, 'garbage'));
    const bad = createBuiltinProviders({ tessdataDirs: [tessdata], ocrTimeoutMs: 3_000 });
    const { value, warnings } = await bad.vision.run({ frames: [frame('text.jpg')], language: null }, context);
    expect(value).toMatchObject([{ id: '0:text.jpg', ocrText: null }]);
    expect(warnings).toContainEqual(expect.stringMatching(/^ocr_(?:failed|timeout):1$/));
    await bad.close();
    await rm(tessdata, { recursive: true });
  });

  it('does not treat an empty file as Russian data', async () => {
    const tessdata = await mkdtemp(join(tmpdir(), 'attune-bad-tessdata-'));
    await writeFile(join(tessdata, 'rus.traineddata'), '');
    const english = createBuiltinProviders({ tessdataDirs: [tessdata] });
    const { warnings } = await english.vision.run({ frames: [frame('flat.jpg')], language: null }, context);
    expect(warnings).toEqual(['ocr_without_russian']);
    await english.close();
    await rm(tessdata, { recursive: true });
  });

  it('removes its folder of links on close', async () => {
    const before = new Set((await readdir(tmpdir())).filter((name) => name.startsWith('attune-tessdata-')));
    const own = createBuiltinProviders({ tessdataDirs: [] });
    await own.vision.run({ frames: [frame('text.jpg')], language: null }, context);
    const made = (await readdir(tmpdir())).filter((name) => name.startsWith('attune-tessdata-') && !before.has(name));
    expect(made.length).toBeGreaterThanOrEqual(1);
    await own.close();
    expect(made.filter((name) => existsSync(join(tmpdir(), name)))).toEqual([]);
  });
});

describe('vision with a nudity model', () => {
  it('judges nudity, and leaves the other categories open', async () => {
    const judging = createBuiltinProviders({ tessdataDirs: [], nudityModelDir: await testNudityModel() });
    const frames = [frame('text.jpg'), frame('flat.jpg'), frame('noise.jpg')];
    const { value, provenance } = await judging.vision.run({ frames, language: null }, context);
    const safety = { sexual: 'none', violence: null, self_harm: null };
    expect(value.map((each) => each.safety)).toEqual([safety, safety, safety]);
    expect(provenance.model).toBe(judging.vision.model);
    expect(judging.vision.model).not.toBe(providers.vision.model);
    await judging.close();
  });

  it('leaves frames unjudged, and does not call them harmless, if the files of the model are missing', async () => {
    const broken = createBuiltinProviders({ tessdataDirs: [], nudityModelDir: '/nowhere' });
    const { value, warnings } = await broken.vision.run({ frames: [frame('flat.jpg')], language: null }, context);
    expect(value).toMatchObject([{ id: '0:flat.jpg', safety: null }]);
    expect(warnings).toContain('safety_failed:1');
    await broken.close();
  });
});

/** Capitals that all look like Cyrillic ones, above Russian text. */
const TRAM_DEPOT =
  '<text x="40" y="70" font-family="DejaVu Sans, Arial, sans-serif" font-size="56" fill="#111111">TRAM DEPOT</text></svg>';

const RUSSIAN_LINES = [
  'Музей открыт каждый день, кроме понедельника.',
  'Билеты продают в кассе у главного входа.',
  'Дети до семи лет проходят бесплатно.',
  'На первом этаже стоят старые вагоны.',
  'Во дворе можно проехать один круг.',
  'Экскурсия начинается в полдень.',
  'Собак просят оставить на улице.',
];

/** A page of Russian text with one more line in the middle. */
function pageAround(line: string): Buffer {
  const lines = [...RUSSIAN_LINES, line, ...RUSSIAN_LINES].map(
    (text, at) =>
      `<text x="40" y="${60 + at * 44}" font-family="DejaVu Sans, Arial, sans-serif" font-size="28">${text}</text>`,
  );
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="740"><rect width="900" height="740" fill="#ffffff"/>${lines.join('')}</svg>`,
  );
}

describe('vision with Russian data', () => {
  it('reads both languages', async () => {
    await sharp(card('Главные новости дня', '#0033aa', '#ffffff'))
      .jpeg()
      .toFile(path('russian.jpg'));
    const linked = path('tessdata');
    const russian = (await testTessdataDirs()).find((dir) =>
      ['rus.traineddata', 'rus.traineddata.gz'].some((name) => existsSync(join(dir, name))),
    );
    if (russian === undefined) throw new Error('there is no Russian data');
    await symlink(russian, linked);
    const bilingual = createBuiltinProviders({ tessdataDirs: ['/nowhere', linked] });
    const { value, warnings } = await bilingual.vision.run(
      { frames: [frame('russian.jpg'), frame('text.jpg')], language: null },
      context,
    );
    expect(value.map(({ ocrText }) => ocrText)).toEqual(['Главные новости дня', 'Quarterly report for the board']);
    expect(warnings).toEqual([]);
    const samples = join(import.meta.dirname, '../../../tools/samples/yardstick/pictures');
    await sharp(join(samples, 'sign-ru.png')).rotate(180).resize(1024).jpeg({ quality: 85 }).toFile(path('down.jpg'));
    const input = { frames: [frame('down.jpg')], language: null, mayBeRotated: true };
    expect((await bilingual.vision.run(input, context)).value[0]?.ocrText).toMatch(/^МУЗЕЙ ТРАМВАЯ/);
    const sign = card('ТРАМВАЙНОЕ ДЕПО', '#ffffff', '#111111').toString().replace('</svg>', TRAM_DEPOT);
    await sharp(Buffer.from(sign)).jpeg().toFile(path('sign.jpg'));
    const { value: signs } = await bilingual.vision.run({ frames: [frame('sign.jpg')], language: null }, context);
    expect(signs[0]?.ocrText).toMatch(/^TRAM DEPOT\n/);
    await sharp(pageAround('TRAM DEPOT')).png().toFile(path('page.png'));
    const { value: pages } = await bilingual.vision.run({ frames: [frame('page.png')], language: null }, context);
    expect(pages[0]?.ocrText?.split('\n')).toEqual([...RUSSIAN_LINES, 'TRAM DEPOT', ...RUSSIAN_LINES]);
    await bilingual.close();
  });
});

describe('the reader of texts', () => {
  it('takes turns between the pictures of several calls', async () => {
    const asked: string[] = [];
    const isAsked = Promise.withResolvers<void>();
    const isSingleAsked = Promise.withResolvers<void>();
    const ocr: Ocr = {
      readsRussian: () => Promise.resolve(true),
      read({ path: picture }) {
        asked.push(basename(picture));
        isAsked.resolve();
        if (picture === path('single.jpg')) isSingleAsked.resolve();
        return isSingleAsked.promise.then(() => null);
      },
      close: () => Promise.resolve(),
    };
    const names = Array.from({ length: 6 }, (_, at) => `many-${at}.jpg`);
    await Promise.all([...names, 'single.jpg'].map((name) => copyFile(path('text.jpg'), path(name))));
    const { run } = createVision(ocr, null);
    const many = run({ frames: names.map(frame), language: null }, context);
    await isAsked.promise;
    const single = run({ frames: [frame('single.jpg')], language: null }, context);
    await Promise.all([many, single]);
    expect(asked).toHaveLength(7);
    expect(asked.indexOf('single.jpg')).toBeLessThan(3);
  });

  /** Reads a frame for each of the times: the milliseconds that its text takes. */
  async function readFrames(times: readonly number[]) {
    let reads = 0;
    const ocr: Ocr = {
      readsRussian: () => Promise.resolve(true),
      read(_picture, _signal, budget) {
        budget.leftMs -= times[reads++] ?? 0;
        return Promise.resolve('read');
      },
      close: () => Promise.resolve(),
    };
    const { run } = createVision(ocr, null);
    const frames = times.map((_, at) => ({ ...frame('text.jpg'), id: String(at) }));
    const { value, warnings } = await run({ frames, language: null }, context);
    return { texts: value.map(({ ocrText }) => ocrText), warnings };
  }

  it('has a limited time for all pictures of a call, and says how many were left unread', async () => {
    const { texts, warnings } = await readFrames(Array.from({ length: 8 }, () => 25_000));
    // Several pictures are looked at side by side, so the last of those that are read is not always the fourth.
    expect(texts.toSorted()).toEqual(
      [...Array.from({ length: 4 }, () => 'read'), ...Array.from({ length: 4 }, () => null)].toSorted(),
    );
    expect(warnings).toEqual(['ocr_unread:4']);
  });

  it('reads pages after a picture that takes the maximum time', async () => {
    const { texts, warnings } = await readFrames([30_000, 2_000, 2_000]);
    expect(texts).toEqual(['read', 'read', 'read']);
    expect(warnings).toEqual([]);
  });

  it('counts the time of a picture from its own start', async () => {
    const ocr = createOcr({ tessdataDirs: [], threads: 1, timeoutMs: 30_000 });
    const startedAt = performance.now();
    const budgets = Array.from({ length: 3 }, () => ({ leftMs: 60_000 }));
    await Promise.all(
      budgets.map((budget) => ocr.read({ path: path('text.jpg'), mayBeRotated: true }, context.signal, budget)),
    );
    const took = performance.now() - startedAt;
    const counted = budgets.map(({ leftMs }) => 60_000 - leftMs);
    for (const each of counted) expect(each).toBeGreaterThan(0);
    expect(counted.reduce((sum, each) => sum + each, 0)).toBeLessThanOrEqual(took);
    await ocr.close();
  });
});
