import type { MediaLimits } from './limits.ts';

/**
 * Decoders a medium may reach. ffmpeg carries several hundred, most for formats of old games,
 * and those are where its memory faults are found; a stream of any other codec stays unread.
 * Several names of one codec are listed because builds differ (libdav1d or av1).
 */
const DECODERS = [
  'h264', 'hevc', 'vvc', 'vp8', 'vp9', 'libvpx', 'libvpx-vp9', 'av1', 'libdav1d', 'libaom-av1',
  'mpeg1video', 'mpeg2video', 'mpeg4', 'msmpeg4v2', 'msmpeg4', 'h263', 'flv', 'theora', 'mjpeg', 'png', 'prores', 'dnxhd',
  'aac', 'aac_fixed', 'aac_latm', 'mp3', 'mp3float', 'mp2', 'mp2float', 'mp1', 'mp1float', 'opus', 'libopus', 'vorbis', 'libvorbis',
  'flac', 'alac', 'ac3', 'eac3', 'dca', 'amrnb', 'amrwb', 'libopencore_amrnb', 'libopencore_amrwb', 'adpcm_ms', 'adpcm_ima_wav',
  'pcm_s16le', 'pcm_s16be', 'pcm_s24le', 'pcm_s24be', 'pcm_s32le', 'pcm_s32be', 'pcm_u8', 'pcm_s8', 'pcm_f32le', 'pcm_f32be', 'pcm_f64le',
  'pcm_alaw', 'pcm_mulaw',
  'subrip', 'srt', 'mov_text', 'ass', 'ssa', 'webvtt', 'text',
].join(',');

/**
 * Global and input options that every run on a stranger's file shares. The demuxer is forced and
 * is the only one allowed; only local files and pipes can be opened; the `file:` prefix keeps a
 * path from being read as an option or another protocol.
 */
export function inputArgs(path: string, demuxer: string, limits: MediaLimits): string[] {
  return [
    '-max_alloc', String(limits.maxAlloc),
    '-protocol_whitelist', 'file,pipe',
    '-format_whitelist', demuxer,
    '-codec_whitelist', DECODERS,
    '-max_pixels', String(limits.videoPixels),
    '-threads', String(limits.threads),
    '-t', String(limits.durationSec),
    '-f', demuxer,
    '-i', `file:${path}`,
  ];
}
