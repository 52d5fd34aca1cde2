/**
 * Removes the hallucinations of speech models. On music and silence Whisper writes closing phrases and subtitle credits
 * that it learned from films, in Russian and in English, or repeats itself. Pure.
 */
import { deflateSync } from 'node:zlib';
import type { TranscribedSegment } from './speechAnswer.ts';
import type { Measured } from '../../types.ts';
import { isVoiced, liesInSilence } from './speechPieces.ts';

/** The three thresholds are Whisper's own defaults (its transcription options of the same names). */
const MAX_NO_SPEECH_PROB = 0.6;
const MIN_AVG_LOGPROB = -1;
const MAX_COMPRESSION_RATIO = 2.4;
/** From here on a phrase that is often hallucinated is treated as a hallucination. */
const SUSPECT_NO_SPEECH_PROB = 0.3;

/** Comparing with this number of earlier segments catches loops of one to three sentences. */
const REPEAT_WINDOW = 6;
/** "Yes. Yes. Yes." is speech; a whole sentence three times in a row is a loop. */
const LONG_TEXT = 12;
const MAX_EARLIER_LONG = 2;
const MAX_EARLIER_SHORT = 4;

/** Credits of subtitles, which nobody says. */
const CREDITS =
  /^(субтитры (сделал|делал|создавал|подогнал|добавил|предоставил)|редактор субтитров|корректор [а-яё]\.|subtitles by |transcribed by |captions by )/;
/** Closing phrases that are sometimes said and often hallucinated. */
const CLOSINGS =
  /^(продолжение следует|спасибо за (просмотр|внимание)|подписывайтесь на (мой |наш )?канал|до новых встреч|thank(s| you)( so much)? for watching|please subscribe|see you (in the )?next (time|video))/;

/**
 * Returns the credible segments of one piece, in order.
 * @param hint the words that the server was told, which a model may repeat where nobody speaks
 */
export function dropHallucinations(
  segments: TranscribedSegment[],
  measured: Measured,
  hint: string | null = null,
): TranscribedSegment[] {
  const alone = segments.length === 1;
  const normalisedHint = hint === null ? '' : withoutStops(normalise(hint));
  const believable = segments.filter(
    (segment) =>
      !isUnreliable(segment, isVoiced(measured, segment)) &&
      !isHallucinated(segment, alone, normalisedHint) &&
      !liesInSilence(measured, segment),
  );
  return dropRepeats(believable);
}

/**
 * Where a detector heard a voice, a segment is doubted only if both probabilities are bad, as Whisper itself does. The
 * probability of no speech is that of up to 30 s, so it is high for the first words after music.
 */
function isUnreliable(segment: TranscribedSegment, isHeard: boolean): boolean {
  const doubts = [(segment.noSpeechProb ?? 0) > MAX_NO_SPEECH_PROB, (segment.avgLogprob ?? 0) < MIN_AVG_LOGPROB].filter(
    Boolean,
  ).length;
  if (doubts > (isHeard ? 1 : 0)) return true;
  // Some servers report a constant ratio, or that of the whole window.
  return Math.max(segment.compressionRatio ?? 0, compressionRatio(segment.text)) > MAX_COMPRESSION_RATIO;
}

/**
 * @param alone whether the segment is the only one in its piece
 * @param hint the normalised hint; empty without one
 */
function isHallucinated(segment: TranscribedSegment, alone: boolean, hint: string): boolean {
  const text = normalise(segment.text);
  if (CREDITS.test(text)) return true;
  const isDoubted = (segment.noSpeechProb ?? 0) > SUSPECT_NO_SPEECH_PROB;
  // Somebody may also say the title, and nothing else. Without a probability, this is less likely than an echo.
  if (echoesHint(text, hint)) return isDoubted || (alone && segment.noSpeechProb === null);
  return CLOSINGS.test(text) && (alone || isDoubted);
}

/** Fewest characters of an echo, about as many as a short first and last name have. */
const SHORTEST_ECHO = 8;

/** A shorter word of the hint may well be said. */
function echoesHint(text: string, hint: string): boolean {
  const words = withoutStops(text);
  return words.length >= SHORTEST_ECHO && hint.includes(words);
}

function withoutStops(text: string): string {
  return text.replaceAll('.', '').trim();
}

function dropRepeats(segments: TranscribedSegment[]): TranscribedSegment[] {
  const texts = segments.map((segment) => normalise(segment.text));
  return segments.filter((_, index) => {
    const text = texts[index] ?? '';
    const earlier = texts.slice(Math.max(0, index - REPEAT_WINDOW), index).filter((other) => other === text).length;
    return earlier < (text.length >= LONG_TEXT ? MAX_EARLIER_LONG : MAX_EARLIER_SHORT);
  });
}

/** Computed as by Whisper: bytes of the text divided by bytes of its zlib stream. */
function compressionRatio(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.length / deflateSync(bytes).length;
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}. ]/gu, '')
    .replace(/\s+/g, ' ')
    .trim();
}
