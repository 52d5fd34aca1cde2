/** Runs of ffmpeg on a medium, their failures in the words of MediaError. */
import { FfmpegError, runFfmpeg, type FfmpegResult, type FfmpegRun } from '../../process/ffmpeg.ts';
import { MediaError, type MediaErrorCode } from './errors.ts';

/**
 * One run; an exit code is not judged here, see `decodingFault`.
 * @throws the signal's reason on abort
 * @throws {MediaError} processing_timeout, decoder_unavailable, storage_full
 */
export async function runDecoder(run: FfmpegRun): Promise<FfmpegResult> {
  try {
    return await runFfmpeg(run);
  } catch (error) {
    if (!(error instanceof FfmpegError)) throw error;
    throw new MediaError(CODES[error.kind], error.message, { cause: error });
  }
}

const CODES = {
  timeout: 'processing_timeout',
  unavailable: 'decoder_unavailable',
  storage_full: 'storage_full',
} as const satisfies Record<FfmpegError['kind'], MediaErrorCode>;

/** Known words of ffmpeg's standard error, the most telling first. */
const SIGNS: readonly [RegExp, MediaErrorCode][] = [
  [/Unrecognized option/, 'decoder_unavailable'], // an ffmpeg before 5.1
  [/received signal 24/, 'processing_timeout'], // SIGXCPU, our CPU limit: ffmpeg ends on it by itself
  [/moov atom not found|Truncating packet|partial file|End of file/, 'media_truncated'],
  [/exceed(s|ing)? (the )?(specified )?max(imum)?[ _]pixel|Picture size \d+x\d+ is invalid/i, 'resolution_too_large'],
];

/**
 * Why a run gave nothing usable. SIGKILL and SIGTERM from outside are the kernel's memory killer or
 * a shutdown, worth another try; a crash of the decoder repeats.
 */
export function decodingFault({ killedBy, stderr }: FfmpegResult): MediaError {
  const detail = `${killedBy ?? 'exit'}: ${stderr.slice(-2000)}`;
  if (killedBy === 'SIGKILL' || killedBy === 'SIGTERM') return new MediaError('processing_interrupted', detail);
  const sign = SIGNS.find(([pattern]) => pattern.test(stderr));
  return new MediaError(sign?.[1] ?? 'decode_failed', detail);
}
