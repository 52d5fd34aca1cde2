/** The built-in summary of one item: extractive and rule-based, so it contains only statements of the evidence. */
import type { Summary, SummaryInput } from '../../types.ts';
import { tagsOutsideTopics } from '../../tagsOutsideTopics.ts';
import type { TextSimilarities } from '../topics/topicNearness.ts';
import { ageRatingOf } from '../moderation/age.ts';
import type { TextFindings } from '../reading/reading.ts';
import { entitiesOf } from './entities.ts';
import { extractKeywords } from './keywords.ts';
import { topicsAmong, likelyAllowedTopics } from '../topics/allowedTopics.ts';
import { detectLanguage, type DetectedLanguage } from '../text/language.ts';
import { rankPhrases } from './rankPhrases.ts';
import { chooseSentences, clip } from './chooseSentences.ts';
import { topicsFrom } from '../topics/topics.ts';
import { uncutTextOf, zonesOf, type Zone } from '../text/weightedTextZones.ts';

export interface SummaryOutcome {
  summary: Summary;
  warnings: string[];
}

/** Maximum characters of the summary, and of the part about pictures if there is prose. */
const SUMMARY_LENGTH = 600;
const VISUAL_LENGTH = 200;
const DESCRIPTION_LENGTH = 200;
const MAX_TAGS = 10;
const MAX_TOPICS = 5;

/**
 * @param reads findings in each zone of the item (see zonesOf); empty without a reader
 * @param closeness of the item to topics, if it was computed
 * @returns null if the item has no word of evidence
 */
export function summarise(
  input: SummaryInput,
  reads: readonly TextFindings[] = [],
  closeness: TextSimilarities | null = null,
): SummaryOutcome | null {
  const { zones, truncated } = zonesOf(input);
  const all = zones.map((zone) => zone.text).join('\n');
  if (!/[\p{L}\p{N}]/u.test(all)) return null;
  const allowed = input.topicsAllowed;
  const detected = detectLanguage(all);
  const { summary, description } = chooseText(zones, input.language ?? detected);
  const topics =
    allowed.length > 0
      ? // In other languages neither nearness to the listed topics nor nearness to names says anything.
        topicsIn(allowed, zones, detected === 'other' ? null : closeness).slice(0, MAX_TOPICS)
      : topicsFrom(zones, (input.language ?? detected) === 'ru' ? 'ru' : 'en', closeness?.toTopics ?? null);
  return {
    summary: {
      summary,
      description,
      topics,
      tags: tagsOf(keywordsOf(zones, reads, detected), topics, input),
      entities: entitiesOf(
        zones.map(({ text }, index) => ({ text, names: reads[index]?.names ?? null })),
        detected === 'other',
      ).map((entity) => ({ ...entity })),
      language: detected === 'other' ? null : detected,
      ageRating: ageRatingOf(uncutTextOf(input)),
    },
    warnings: truncated ? ['text_truncated'] : [],
  };
}

function topicsIn(allowed: readonly string[], zones: readonly Zone[], closeness: TextSimilarities | null): string[] {
  return closeness === null ? topicsAmong(allowed, zones) : likelyAllowedTopics(allowed, zones, closeness);
}

/** Returns a text without its first line if that is the title, as in an article of HTML; a bare title stays. */
function withoutHeading(text: string, title: string): string {
  const rest = text.trimStart();
  const isHeaded =
    title !== '' && rest.startsWith(title) && /^\s*\n\s*\S/.test(rest.slice(title.length, title.length + 100));
  return isHeaded ? rest.slice(title.length).trimStart() : text;
}

/**
 * Returns the phrases found by the reader, and words by their frequency where no reader knows the language: without any
 * reader, and where most of the text is foreign, as under an English title.
 */
function keywordsOf(
  zones: readonly Zone[],
  reads: readonly TextFindings[],
  language: DetectedLanguage | null,
): string[] {
  if (!zones.some((_, index) => reads[index])) return frequentWords(zones, language === 'other');
  const phrases = rankPhrases(zones, reads);
  const foreign = zones.filter((zone, index) => !reads[index] && detectLanguage(zone.text) === 'other');
  return lengthOf(foreign) * 2 > lengthOf(zones) ? [...phrases, ...frequentWords(foreign, true)] : phrases;
}

function frequentWords(zones: readonly Zone[], isForeign: boolean): string[] {
  const { phrases, words } = extractKeywords(zones, isForeign);
  const inPhrases = new Set(phrases.flatMap((phrase) => phrase.split(' ')));
  return [...phrases, ...words.filter((word) => !inPhrases.has(word.toLowerCase()))];
}

function lengthOf(zones: readonly Zone[]): number {
  return zones.reduce((sum, { text }) => sum + text.length, 0);
}

/** Numbers in a picture, such as those of a clock, add nothing to prose. */
const WORD = /\p{L}{3}/u;

/** Prefers prose, followed by texts of pictures, which are also used alone. A bare title is its own summary. */
function chooseText(zones: readonly Zone[], language: string | null): { summary: string; description: string | null } {
  const textsOf = (...kinds: Zone['kind'][]): string[] =>
    zones.filter((zone) => kinds.includes(zone.kind)).map((zone) => zone.text);
  const title = textsOf('title').join('');
  const prose = chooseSentences(
    textsOf('description', 'body', 'transcript').map((text) => withoutHeading(text, title)),
    SUMMARY_LENGTH,
    language,
  );
  const visual = chooseSentences(
    textsOf('ocr', 'frame').filter((text) => prose.text === '' || WORD.test(text)),
    prose.text === '' ? SUMMARY_LENGTH : VISUAL_LENGTH,
    language,
  );
  const summary = [prose.text, visual.text].filter((part) => part !== '').join(' ') || title;
  const best = prose.best || title || visual.best;
  const description = clip(best, DESCRIPTION_LENGTH);
  return { summary, description: description === summary ? null : description };
}

/** Returns keywords, then tags of at least half of the frames; neither contain topics. */
function tagsOf(keywords: readonly string[], topics: readonly string[], input: SummaryInput): string[] {
  const counts = new Map<string, number>();
  for (const frame of input.frames)
    for (const tag of new Set(frame.tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count * 2 >= input.frames.length).sort((a, b) => b[1] - a[1]);
  const ofFrames = common.map(([tag]) => tag);
  return tagsOutsideTopics(
    [
      ...tagsOutsideTopics(keywords, topics).slice(0, MAX_TAGS),
      ...tagsOutsideTopics(ofFrames, topics).slice(0, MAX_TAGS / 2),
    ],
    topics,
  );
}
