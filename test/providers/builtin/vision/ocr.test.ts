import { copyFile, mkdtemp, rename, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, it } from '@jest/globals';
import sharp from 'sharp';
import { createOcr } from '../../../../providers/builtin/vision/ocr.ts';

const { TMPDIR } = process.env;
afterEach(() => {
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
});

it('the reader of texts in pictures works again after its folder could not be made', async () => {
  const ocr = createOcr({ tessdataDirs: [], threads: 1, timeoutMs: 60_000 });
  process.env['TMPDIR'] = '/nowhere';
  await expect(ocr.readsRussian()).rejects.toThrow('ENOENT');
  process.env['TMPDIR'] = '/tmp';
  expect(await ocr.readsRussian()).toBe(false);
  await ocr.close();
});

it('the reader of texts in pictures works again after its engine could not read the data of a language', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'attune-ocr-'));
  const [data, away, path] = ['eng.traineddata', 'away', 'white.png'].map((name) => join(folder, name));
  if (!data || !away || !path) throw new Error('no paths');
  const packaged = dirname(createRequire(import.meta.url).resolve('@tesseract.js-data/eng'));
  await copyFile(join(packaged, '4.0.0_best_int', 'eng.traineddata.gz'), data);
  await sharp({ create: { width: 200, height: 100, channels: 3, background: '#fff' } })
    .png()
    .toFile(path);
  const ocr = createOcr({ tessdataDirs: [folder], threads: 1, timeoutMs: 60_000 });
  const read = (): Promise<string | null> =>
    ocr.read({ path, mayBeRotated: false }, new AbortController().signal, { leftMs: 60_000 });
  expect(await ocr.readsRussian()).toBe(false);
  await rename(data, away);
  await expect(read()).rejects.toThrow('the thread ended');
  await rename(away, data);
  expect(await read()).toBeNull();
  await ocr.close();
  await rm(folder, { recursive: true });
});
