/**
 * The requests to the confined decoder, and the decoder's side of the replies. There is no schema here, because each
 * medium would pay for loading it.
 */
import { isDiskFull } from '../../platform/disk/diskFaults.ts';
import type { DecoderReply } from './decoderReply.ts';
import { MediaError } from '../mediaErrors.ts';
import type { MediaLimits } from './medium/mediaLimits.ts';
import type { MediumKind } from './medium/preparedMedium.ts';

interface Paths {
  path: string;
  outDir: string;
  ffmpegPath: string;
}

/** A medium to decode, or a trial of the confinement on an empty folder. */
export type DecoderRequest =
  | (Paths & { kind: MediumKind; itemLanguage?: string | null; limits?: Partial<MediaLimits> })
  | (Paths & { kind: 'trial' });

/** Returns a medium's error as a reply; any other error counts as a failure of the decoder on these bytes. */
export function errorReply(error: unknown): DecoderReply {
  if (error instanceof MediaError)
    return { error: { code: error.code, detail: error.detail?.slice(0, 5_000) ?? null } };
  const code = isDiskFull(error) ? 'storage_full' : 'decode_failed';
  return { error: { code, detail: String(error).slice(0, 5_000) } };
}
