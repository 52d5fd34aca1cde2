/** Runs ffmpeg on a medium and translates its failures into MediaErrors. */
import {
  FfmpegError,
  runFfmpeg,
  type FfmpegResult,
  type FfmpegRun,
} from '../../../platform/process/decoders/ffmpeg.ts';
import { MediaError, type MediaErrorCode } from '../../mediaErrors.ts';

/**
 * Runs ffmpeg once. It does not judge the exit code; see `decodingFault`.
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
  untried: 'decoder_unavailable',
  storage_full: 'storage_full',
} as const satisfies Record<FfmpegError['kind'], MediaErrorCode>;

/** Known phrases of ffmpeg's standard error, the most specific first. */
const SIGNS: readonly [RegExp, MediaErrorCode][] = [
  [/Unrecognized option/, 'decoder_unavailable'], // an ffmpeg before 5.1
  [/received signal 24/, 'processing_timeout'], // SIGXCPU, our CPU limit: ffmpeg exits on it without being killed
  [/moov atom not found|Truncating packet|partial file|End of file/, 'media_truncated'],
  [/exceed(s|ing)? (the )?(specified )?max(imum)?[ _]pixel|Picture size \d+x\d+ is invalid/i, 'resolution_too_large'],
];

/**
 * Returns the reason why a run gave nothing usable. SIGKILL and SIGTERM from outside mean the kernel's OOM killer or a
 * shutdown and deserve a retry; a crash of the decoder would recur.
 */
export function decodingFault({ killedBy, stderr }: FfmpegResult): MediaError {
  const detail = `${killedBy ?? 'exit'}: ${stderr.slice(-2000)}`;
  if (killedBy === 'SIGKILL' || killedBy === 'SIGTERM') return new MediaError('processing_interrupted', detail);
  const sign = SIGNS.find(([pattern]) => pattern.test(stderr));
  return new MediaError(sign?.[1] ?? 'decode_failed', detail);
}
