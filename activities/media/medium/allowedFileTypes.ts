import { stat } from 'node:fs/promises';
import { fileTypeFromFile } from 'file-type';
import { MediaError } from '../../mediaErrors.ts';
import type { MediumKind } from './preparedMedium.ts';

/**
 * A type detected from the file's own bytes. `demuxer` is the one that ffmpeg is forced to use (`-f`), so that only
 * this detection decides how the bytes are read; images have none.
 */
export interface SniffedType {
  mime: string;
  holds: 'container' | 'audio' | 'image';
  demuxer: string | null;
}

const container = (demuxer: string) => ({ holds: 'container', demuxer }) as const;
const audio = (demuxer: string) => ({ holds: 'audio', demuxer }) as const;
const image = { holds: 'image', demuxer: null } as const;

/**
 * The allow-list. Everything else is refused: playlists (HLS, DASH, concat scripts), which make a decoder open other
 * files; SVG and PDF, which are programs; archives; tracker music. M4A is a container because some cameras and editors
 * put video into that brand.
 */
const ALLOWED: Readonly<Record<string, Omit<SniffedType, 'mime'>>> = {
  'video/mp4': container('mov'),
  'video/quicktime': container('mov'),
  'video/x-m4v': container('mov'),
  'video/3gpp': container('mov'),
  'video/3gpp2': container('mov'),
  'audio/mp4': container('mov'),
  'audio/x-m4a': container('mov'),
  'video/matroska': container('matroska'),
  'video/webm': container('matroska'),
  'video/vnd.avi': container('avi'),
  'video/mp2t': container('mpegts'),
  'video/MP1S': container('mpeg'),
  'video/MP2P': container('mpeg'),
  'video/mpeg': container('mpeg'),
  'video/ogg': container('ogg'),
  'application/ogg': container('ogg'),
  'video/x-flv': container('flv'),
  'audio/mpeg': audio('mp3'),
  'audio/aac': audio('aac'),
  'audio/flac': audio('flac'),
  'audio/ogg': audio('ogg'),
  'audio/ogg; codecs=opus': audio('ogg'),
  'audio/wav': audio('wav'),
  'audio/aiff': audio('aiff'),
  'audio/amr': audio('amr'),
  'image/jpeg': image,
  'image/png': image,
  'image/apng': image,
  'image/webp': image,
  'image/gif': image,
  'image/avif': image,
  'image/tiff': image,
};

function fits(kind: MediumKind, holds: SniffedType['holds']): boolean {
  if (kind === 'image') return holds === 'image';
  if (kind === 'video') return holds === 'container';
  return holds === 'container' || holds === 'audio';
}

/**
 * Detects a file's type from its bytes, never from its name or from what a server claims.
 * @throws {MediaError} empty_media, unsupported_media, media_kind_mismatch
 */
export async function sniff(path: string, kind: MediumKind): Promise<SniffedType> {
  const { size } = await stat(path);
  if (size === 0) throw new MediaError('empty_media');
  const found = await recognise(path);
  const allowed = found === null ? undefined : ALLOWED[found];
  if (found === null || allowed === undefined) throw new MediaError('unsupported_media', found);
  if (!fits(kind, allowed.holds)) throw new MediaError('media_kind_mismatch', `${found} sent as ${kind}`);
  return { mime: found, ...allowed };
}

async function recognise(path: string): Promise<string | null> {
  try {
    return (await fileTypeFromFile(path))?.mime ?? null;
  } catch (error) {
    // The parser runs on hostile bytes too: a file on which it fails is unsupported.
    throw new MediaError('unsupported_media', String(error), { cause: error });
  }
}
