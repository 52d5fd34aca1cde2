import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isReadable } from './ffmpegInput.ts';
import type { MediaLimits } from '../medium/mediaLimits.ts';
import type { Probe, ProbedStream } from './parseProbe.ts';
import { decodeSubtitles } from './subtitleText.ts';

/** Between the times of a cue. */
const CUE = '-->';
/** Further tracks of one language are commentary or for the hard of hearing. */
const MAX_TRACKS = 3;
/**
 * A track that speaks for less than this share of the time of the longest one contains only signs, whatever the
 * container says.
 */
const MIN_SPOKEN = 0.5;
/** A longer cue is a title that stays on the screen. */
const MAX_CUE_SEC = 10;
/** The times of a cue as ffmpeg writes them: hours are left out if there are none. */
const TIMES = /^(?:(\d+):)?(\d\d):(\d\d\.\d{3}) --> (?:(\d+):)?(\d\d):(\d\d\.\d{3})/gm;
/** Matroska's default for a track that states no language (RFC 9559, `Language`), so the real one may differ. */
const PRESUMED_LANGUAGE = 'en';

/**
 * Returns the text tracks to read, the best one first: those in the language of the sound, if the container states
 * both, and the default one before others. English sound only decides between two default tracks or two others. If the
 * container states no language of the sound, those in the language of the item come first. A forced track has only
 * signs and foreign lines, so it is the last choice.
 * @param itemLanguage ISO 639-1 code, or null if the item does not show its language
 */
export function subtitleStreams(found: Probe, audio: ProbedStream | null, itemLanguage: string | null): ProbedStream[] {
  const texts = found.streams.filter((stream) => stream.type === 'subtitle' && isReadable(stream));
  const whole = texts.filter((text) => !text.forced);
  const isSpoken = ({ language }: ProbedStream): boolean => language !== null && language === audio?.language;
  const isLikely = ({ language }: ProbedStream): boolean => language !== null && language === itemLanguage;
  const isUnstated = (audio?.language ?? null) === null;
  const spoken = audio?.language === PRESUMED_LANGUAGE ? [] : whole.filter(isSpoken);
  const tracks = [spoken, whole, texts].find((choice) => choice.length > 0) ?? [];
  const preference = (track: ProbedStream): number =>
    4 * Number(isUnstated && isLikely(track)) + 2 * Number(track.isDefault) + Number(isSpoken(track));
  return tracks.toSorted((a, b) => preference(b) - preference(a)).slice(0, MAX_TRACKS);
}

/** Returns the name of the file for a track, by its index in `subtitleStreams`. */
function subtitleFile(number: number): string {
  return `subtitles-${number}.vtt`;
}

/** Passes on bytes that are not UTF-8; the decoder would otherwise leave out their cues. */
export const SUBTITLE_INPUT_ARGS = ['-sub_charenc_mode', 'ignore'];

/**
 * Makes the decoder itself stop at the size limit: a small file can repeat one cue a million times, or be compressed,
 * and expand to more than the disk holds. The limit is checked after each cue, so the file may exceed it by one cue.
 */
export function subtitleOutputArgs(streams: readonly ProbedStream[], limits: MediaLimits): string[] {
  return streams.flatMap(({ index }, number) => [
    '-map',
    `0:${index}`,
    '-c:s',
    'webvtt',
    '-map_metadata',
    '-1',
    '-fs',
    String(limits.subtitleBytes),
    '-f',
    'webvtt',
    subtitleFile(number),
  ]);
}

export interface ChosenSubtitles {
  /** Name of a file in UTF-8 with at least one cue, or null. */
  subtitles: string | null;
  /** The reason why subtitles that are there are not used. */
  subtitlesFault: 'subtitles_too_large' | 'subtitles_unreadable' | null;
}

/**
 * Chooses among the files that the decoder wrote: the first one, unless the cues of another cover more than twice its
 * time. Their number does not matter: karaoke has one for each syllable. The file states the language of the track in
 * its header (`Language: de`), if the container does.
 * @param streams the tracks that were read
 */
export async function chooseSubtitles(
  outDir: string,
  streams: readonly ProbedStream[],
  limits: MediaLimits,
): Promise<ChosenSubtitles> {
  const tracks: (CheckedTrack & { file: string })[] = [];
  for (const [number, { language }] of streams.entries()) {
    const file = subtitleFile(number);
    tracks.push({ file, ...(await checkSubtitles(join(outDir, file), language, limits)) });
  }
  const readable = tracks.filter(({ hasCues }) => hasCues);
  const most = Math.max(...readable.map(({ spokenSec }) => spokenSec));
  const chosen = readable.find(({ spokenSec }) => spokenSec >= most * MIN_SPOKEN);
  const faulty = chosen ? undefined : tracks.find(({ fault }) => fault !== null);
  return { subtitles: chosen?.file ?? null, subtitlesFault: faulty?.fault ?? null };
}

const UNUSABLE: CheckedTrack = { hasCues: false, spokenSec: 0, fault: null };

interface CheckedTrack {
  /** False if the file cannot be used. */
  hasCues: boolean;
  /** Seconds in which it has a cue. */
  spokenSec: number;
  fault: ChosenSubtitles['subtitlesFault'];
}

/**
 * Measures the cues of a file. One that is too large to be subtitles of speech, or in an unknown encoding, is at fault;
 * one in a known encoding is converted to UTF-8.
 */
async function checkSubtitles(path: string, language: string | null, limits: MediaLimits): Promise<CheckedTrack> {
  const { size } = await stat(path).catch(() => ({ size: 0 }));
  if (size >= limits.subtitleBytes) return { ...UNUSABLE, fault: 'subtitles_too_large' };
  const bytes = size > 0 ? await readFile(path) : Buffer.alloc(0);
  if (!bytes.includes(CUE)) return UNUSABLE;
  const text = decodeSubtitles(bytes);
  if (text === null) return { ...UNUSABLE, fault: 'subtitles_unreadable' };
  await writeFile(path, language === null ? text : text.replace(/^WEBVTT/, `WEBVTT\nLanguage: ${language}`));
  return { hasCues: true, spokenSec: spokenSeconds(text), fault: null };
}

/** Adds up the time of cues, in order of their start. Time that several of them cover counts once. */
function spokenSeconds(text: string): number {
  let [sum, until] = [0, 0];
  for (const [, ...times] of text.matchAll(TIMES)) {
    const start = secondsOf(times.slice(0, 3));
    const end = Math.min(secondsOf(times.slice(3)), start + MAX_CUE_SEC);
    sum += Math.max(0, end - Math.max(start, until));
    until = Math.max(until, end);
  }
  return sum;
}

function secondsOf([hours = '0', minutes, seconds]: readonly (string | undefined)[]): number {
  return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
}
