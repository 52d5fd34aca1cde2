import { resolveEngine } from '../../../tools/scripts/engines/index.ts';

/**
 * Returns the absolute path of an ffmpeg for tests: ATTUNE_TEST_FFMPEG, or the one that a development stack would
 * use.
 */
export async function ffmpegPath(): Promise<string> {
  return (
    process.env['ATTUNE_TEST_FFMPEG'] || (await resolveEngine('ffmpeg', { env: process.env, report: () => undefined }))
  );
}
