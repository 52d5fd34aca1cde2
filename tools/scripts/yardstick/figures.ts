/** The figures of the yardstick: for all samples, by language, and for the held-out ones. */
import {
  compareList,
  compareSentences,
  fold,
  NO_HITS,
  readingErrors,
  readsAsSentences,
  sumOf,
  type Answer,
  type Hits,
} from './compare.ts';
import type { Figure } from '../../load/figures.ts';
import type { Sample } from './samples.ts';

export interface Judged {
  sample: Sample;
  answer: Answer;
  tags: Hits;
  topics: Hits;
  people: Hits;
  organisations: Hits;
  places: Hits;
  sentences: Hits;
  readsAsSentences: boolean;
  /** True when no tag is also a topic. */
  listsDiffer: boolean;
  knowsLanguage: boolean;
  /** Null when the sample does not cover it. */
  ocr: { edits: number; characters: number } | null;
}

export function judge(sample: Sample, answer: Answer): Judged {
  const { expect } = sample;
  const topics = new Set(answer.topics.map(fold));
  return {
    sample,
    answer,
    tags: compareList(answer.tags, expect.tags, expect.also),
    topics: compareList(answer.topics, expect.topics, expect.topics_also),
    people: compareList(answer.people, expect.people, expect.also_people),
    organisations: compareList(answer.organisations, expect.organisations, expect.also_organisations),
    places: compareList(answer.places, expect.places, expect.also_places),
    sentences: compareSentences(answer.summary, expect.summary),
    readsAsSentences: readsAsSentences(answer.summary, sample),
    listsDiffer: !answer.tags.some((tag) => topics.has(fold(tag))),
    knowsLanguage: answer.language === sample.language,
    ocr: expect.ocr === undefined ? null : readingErrors(answer.ocr ?? '', expect.ocr),
  };
}

const LISTS = ['tags', 'topics', 'people', 'organisations', 'places'] as const;

/** Values from 0 to 1 by the name of the measure; null where there was nothing to measure. */
export type Figures = Record<string, number | null>;

export function figuresOf(judged: readonly Judged[]): Figures {
  const lists = LISTS.flatMap((list) => listFigures(list, sumOf(judged.map((each) => each[list]))));
  const entities = sumOf(judged.flatMap(({ people, organisations, places }) => [people, organisations, places]));
  const sentences = sumOf(judged.map((each) => each.sentences));
  const shareOf = (test: (each: Judged) => boolean): number | null => share(judged.filter(test).length, judged.length);
  const read = judged.flatMap(({ ocr }) => ocr ?? []);
  return Object.fromEntries([
    ...lists,
    ...listFigures('all entities', entities),
    ['sentences of summaries that a person would choose', share(sentences.right, sentences.given)],
    ['summaries with the main sentence', share(sentences.found, sentences.expected)],
    ['summaries that read as sentences', shareOf((each) => each.readsAsSentences)],
    ['tags and topics without a common entry', shareOf((each) => each.listsDiffer)],
    ['language identified correctly', shareOf((each) => each.knowsLanguage)],
    [
      'OCR: character error rate',
      share(
        read.reduce((sum, { edits }) => sum + edits, 0),
        read.reduce((sum, { characters }) => sum + characters, 0),
      ),
    ],
  ]);
}

function listFigures(name: string, hits: Hits = NO_HITS): [string, number | null][] {
  return [
    [`${name}: precision`, share(hits.right, hits.given)],
    [`${name}: recall`, share(hits.found, hits.expected)],
  ];
}

function share(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}

/** The samples that each column of the table covers. */
export const COLUMNS = {
  all: () => true,
  Russian: ({ language }) => language === 'ru',
  English: ({ language }) => language === 'en',
  'held out': ({ held_out: heldOut }) => heldOut === true,
} as const satisfies Readonly<Record<string, (sample: Sample) => boolean>>;

const SHORT_FIGURES = ['topics: precision', 'topics: recall'] as const;

/** The figures of short texts, which are about topics. */
export function shortFiguresOf(judged: readonly Judged[]): Figures {
  const all = figuresOf(judged);
  const empty = judged.filter(({ sample }) => sample.expect.topics?.length === 0);
  const silent = empty.filter(({ topics }) => topics.given === topics.right);
  return {
    ...Object.fromEntries(SHORT_FIGURES.map((name) => [name, all[name] ?? null])),
    'no topic where the words support none': share(silent.length, empty.length),
  };
}

/** The figures of sentences and passages, which are about names. */
export function nameFiguresOf(judged: readonly Judged[]): Figures {
  const ofNames = /^(?:people|organisations|places|all entities):/;
  return Object.fromEntries(Object.entries(figuresOf(judged)).filter(([name]) => ofNames.test(name)));
}

/** Returns the figures that were measured as those of the benches: one for each column and measure. */
export function listOf(columns: Readonly<Record<string, Figures>>): Figure[] {
  return Object.entries(columns).flatMap(([column, figures]) =>
    Object.entries(figures).flatMap(([measure, value]) =>
      value === null
        ? []
        : [{ name: `${column}: ${measure}`, value: Number((value * 100).toFixed(1)), unit: '%', aim: null }],
    ),
  );
}

/** Returns a table in Markdown with one measure per row. */
export function tableOf(columns: Readonly<Record<string, Figures>>): string {
  const names = Object.keys(columns);
  const measures = [...new Set(Object.values(columns).flatMap((figures) => Object.keys(figures)))];
  const rows = measures
    .map((measure) => [measure, ...names.map((name) => shown(columns[name]?.[measure] ?? null))])
    .filter(([, ...figures]) => figures.some((figure) => figure !== '–'));
  return [['measure', ...names], ['---', ...names.map(() => '---:')], ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n');
}

function shown(figure: number | null): string {
  return figure === null ? '–' : `${(figure * 100).toFixed(1)} %`;
}
