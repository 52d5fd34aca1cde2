/** The built-in summary of one item: extractive, by rules, with nothing in it that the evidence does not say. */
import type { Summary, SummaryInput } from '../../types.ts';
import { ageRatingOf } from '../moderation/age.ts';
import { extractEntities } from './entities.ts';
import { extractKeywords, type Keywords } from './keywords.ts';
import { detectLanguage } from './language.ts';
import { chooseSentences, clip } from './select.ts';
import { zonesOf, type Zone } from './zones.ts';

export interface SummaryOutcome {
  summary: Summary;
  warnings: string[];
}

/** Characters of the summary, and of what the pictures add to it when there is prose. */
const SUMMARY_LENGTH = 600;
const VISUAL_LENGTH = 200;
const DESCRIPTION_LENGTH = 200;
const MOST_TAGS = 10;
const MOST_TOPICS = 5;

/**
 * @returns null when the item holds no word of evidence.
 */
export function summarise(input: SummaryInput): SummaryOutcome | null {
  const { zones, truncated } = zonesOf(input);
  const all = zones.map((zone) => zone.text).join('\n');
  if (!/[\p{L}\p{N}]/u.test(all)) return null;
  const { summary, description } = chooseText(zones);
  const keywords = extractKeywords(zones);
  const topics = topicsOf(keywords);
  const detected = detectLanguage(all);
  return {
    summary: {
      summary,
      description,
      topics,
      tags: tagsOf(keywords, topics, input),
      entities: extractEntities(all).map((entity) => ({ ...entity })),
      language: detected === 'other' ? null : detected,
      ageRating: ageRatingOf(all),
    },
    warnings: truncated ? ['text_truncated'] : [],
  };
}

/** Prose first; pictures speak after it, or alone. A bare title is its own summary. */
function chooseText(zones: readonly Zone[]): { summary: string; description: string | null } {
  const of = (...kinds: Zone['kind'][]): string[] =>
    zones.filter((zone) => kinds.includes(zone.kind)).map((zone) => zone.text);
  const title = of('title').join('');
  const prose = chooseSentences(of('description', 'body', 'transcript'), SUMMARY_LENGTH);
  const visual = chooseSentences(of('ocr', 'frame'), prose.text === '' ? SUMMARY_LENGTH : VISUAL_LENGTH);
  const summary = [prose.text, visual.text].filter((part) => part !== '').join(' ') || title;
  const best = prose.best || title || visual.best;
  const description = clip(best, DESCRIPTION_LENGTH);
  return { summary, description: description === summary ? null : description };
}

/** The subjects that the text returns to: key phrases, then single words that no phrase holds already. */
function topicsOf({ phrases, subjects }: Keywords): string[] {
  const best = phrases.slice(0, 3);
  const inPhrases = new Set(best.flatMap((phrase) => phrase.split(' ')));
  return [...best, ...subjects.filter((word) => !inPhrases.has(word.toLowerCase()))].slice(0, MOST_TOPICS);
}

/** Keywords that are no topic, then tags met on at least half of the frames. */
function tagsOf(keywords: Keywords, topics: readonly string[], input: SummaryInput): string[] {
  const counts = new Map<string, number>();
  for (const frame of input.frames)
    for (const tag of new Set(frame.tags ?? [])) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  const common = [...counts].filter(([, count]) => count * 2 >= input.frames.length).sort((a, b) => b[1] - a[1]);
  const ofFrames = common.slice(0, MOST_TAGS / 2).map(([tag]) => tag);
  const words = keywords.words.filter((word) => !topics.includes(word)).slice(0, MOST_TAGS);
  return [...new Set([...words, ...ofFrames])];
}
