import type { MediaLimits } from '../medium/mediaLimits.ts';
import type { ProbedStream, StreamType } from './parseProbe.ts';

/** Maps a codec's name, as ffprobe reports it, to the names of its decoders, which differ between builds of ffmpeg. */
type Decoders = Readonly<Record<string, readonly string[]>>;

const VIDEO: Decoders = {
  h264: ['h264'],
  hevc: ['hevc'],
  vvc: ['vvc'],
  vp8: ['vp8', 'libvpx'],
  vp9: ['vp9', 'libvpx-vp9'],
  av1: ['av1', 'libdav1d', 'libaom-av1'],
  mpeg1video: ['mpeg1video'],
  mpeg2video: ['mpeg2video'],
  mpeg4: ['mpeg4'],
  msmpeg4v2: ['msmpeg4v2'],
  msmpeg4v3: ['msmpeg4'],
  h263: ['h263'],
  flv1: ['flv'],
  theora: ['theora'],
  mjpeg: ['mjpeg'],
  png: ['png'],
  prores: ['prores'],
  dnxhd: ['dnxhd'],
};
const RAW_SOUND = ['s16le', 's16be', 's24le', 's24be', 's32le', 's32be', 'u8', 's8', 'f32le', 'f32be', 'f64le'];
const AUDIO: Decoders = {
  aac: ['aac', 'aac_fixed'],
  aac_latm: ['aac_latm'],
  mp3: ['mp3', 'mp3float'],
  mp2: ['mp2', 'mp2float'],
  mp1: ['mp1', 'mp1float'],
  opus: ['opus', 'libopus'],
  vorbis: ['vorbis', 'libvorbis'],
  flac: ['flac'],
  alac: ['alac'],
  ac3: ['ac3'],
  eac3: ['eac3'],
  dts: ['dca'],
  amr_nb: ['amrnb', 'libopencore_amrnb'],
  amr_wb: ['amrwb', 'libopencore_amrwb'],
  adpcm_ms: ['adpcm_ms'],
  adpcm_ima_wav: ['adpcm_ima_wav'],
  pcm_alaw: ['pcm_alaw'],
  pcm_mulaw: ['pcm_mulaw'],
  ...Object.fromEntries(RAW_SOUND.map((form) => [`pcm_${form}`, [`pcm_${form}`]])),
};
/** Codecs of text only; those of DVD, Blu-ray and DVB hold pictures. */
const SUBTITLE: Decoders = {
  subrip: ['subrip', 'srt'],
  mov_text: ['mov_text'],
  ass: ['ass', 'ssa'],
  webvtt: ['webvtt'],
  text: ['text'],
};

/**
 * Codecs that a medium may use. ffmpeg includes several hundred, many of them for rare formats such as those of old
 * games, in which most memory faults are found. A stream of any other codec is not read.
 */
export const CODECS: Readonly<Partial<Record<StreamType, Decoders>>> = {
  video: VIDEO,
  audio: AUDIO,
  subtitle: SUBTITLE,
};
const DECODERS = Object.values(CODECS)
  .flatMap((decoders) => Object.values(decoders).flat())
  .join(',');

/** Returns true for a stream that the decoder reads. Requesting any other stream would end the whole run. */
export function isReadable({ type, codec }: Pick<ProbedStream, 'type' | 'codec'>): boolean {
  return Object.hasOwn(CODECS[type] ?? {}, codec);
}

/**
 * Returns the global and input options of every run on a stranger's file. The demuxer is forced and is the only one
 * allowed; only local files and pipes can be opened; the `file:` prefix keeps a path from being read as an option or
 * another protocol.
 */
export function inputArgs(path: string, demuxer: string, limits: MediaLimits): string[] {
  return [
    '-max_alloc',
    String(limits.maxAlloc),
    '-protocol_whitelist',
    'file,pipe',
    '-format_whitelist',
    demuxer,
    '-codec_whitelist',
    DECODERS,
    '-max_pixels',
    String(limits.videoPixels),
    '-threads',
    String(limits.threads),
    '-t',
    String(limits.durationSec),
    '-f',
    demuxer,
    '-i',
    `file:${path}`,
  ];
}
