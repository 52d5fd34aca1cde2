/** The built-in summary of one item: extractive and rule-based, so it contains only statements of the evidence. */
import type { Summary, SummaryInput } from '../../types.ts';
import type { TextSimilarities } from '../topics/topicNearness.ts';
import { ageRatingOf } from '../moderation/age.ts';
import type { TextFindings } from '../reading/reading.ts';
import { entitiesOf } from './entities.ts';
import { extractKeywords } from './keywords.ts';
import { topicsInList } from '../topics/allowedTopics.ts';
import { detectLanguage, type DetectedLanguage } from '../text/detectLanguage.ts';
import { rankPhrases } from './rankPhrases.ts';
import { chooseText } from './summaryText.ts';
import { tagsOf } from './tags.ts';
import { topicsFrom } from '../topics/topics.ts';
import { uncutTextOf, zonesOf, type Zone } from '../text/weightedTextZones.ts';

export interface SummaryOutcome {
  summary: Summary;
  warnings: string[];
}

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
        topicsInList(allowed, zones, detected === 'other' ? null : closeness)
      : topicsFrom(zones, (input.language ?? detected) === 'ru' ? 'ru' : 'en', closeness?.toTopics ?? null);
  return {
    summary: {
      summary,
      description,
      topics,
      tags: tagsOf(keywordsOf(zones, reads, detected), topics, input.frames),
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
