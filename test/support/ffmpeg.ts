import { resolveEngine } from '../../scripts/engines/index.ts';

/** Absolute path of an ffmpeg for tests: ATTUNE_TEST_FFMPEG, or what a development stack would use. */
export async function ffmpegPath(): Promise<string> {
  return (
    process.env['ATTUNE_TEST_FFMPEG'] || (await resolveEngine('ffmpeg', { env: process.env, report: () => undefined }))
  );
}
