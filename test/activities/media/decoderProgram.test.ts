/** A confined decoder can read its whole program: otherwise it could not start while it is confined to files. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { DECODER_PROGRAM } from '../../../activities/media/decoderProcess.ts';
import { readImports } from '../../support/runner/imports.ts';

const ROOT = join(import.meta.dirname, '../../..');
const DECODER = 'activities/media/decoder.ts';

it('each part of the decoder that Landlock lets it read exists', () => {
  expect(DECODER_PROGRAM.filter((part) => !existsSync(join(ROOT, part)))).toEqual([]);
});

it('the decoder imports nothing outside the parts that Landlock lets it read', async () => {
  const files = [...(await readImports([DECODER]))(DECODER, 'ever').files];
  expect(files.length).toBeGreaterThan(10);
  const isAllowed = (file: string) => DECODER_PROGRAM.some((part) => file === part || file.startsWith(`${part}/`));
  expect(files.filter((file) => !isAllowed(file))).toEqual([]);
});
