import { afterEach, expect, it } from '@jest/globals';
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
