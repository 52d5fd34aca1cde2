import { Readable } from 'node:stream';
import { expect, it } from '@jest/globals';
import { divideRecordings, readAuthoredChapters } from '../../../activities/ai/chapters.ts';
import type { AiActivityDeps } from '../../../activities/ai/deps.ts';
import type { Evidence } from '../../../db/analysis/evidence.ts';
import type { SummaryCapability } from '../../../providers/types.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { createFakeProviders, fakeResult } from '../../support/items/fakeProviders.ts';

const SEGMENTS = Array.from({ length: 100 }, (_, at) => ({
  start: at * 6,
  end: at * 6 + 6,
  text: 'Today we are going to talk about the history of the tram.',
  speaker: null,
}));

const text = SEGMENTS.map((segment) => segment.text).join(' ');
const EVIDENCE: Evidence = {
  type: 'video',
  language: null,
  topics: [],
  title: 'Как трамвай вернулся в депо после ремонта',
  description: null,
  body: null,
  transcripts: [{ mediumId: 'a', durationSec: 600, text, segments: SEGMENTS }],
  recordings: [{ mediumId: 'a', durationSec: 600, folder: 'media/p/a/1' }],
  frames: [],
  pictures: [],
  media: [],
  summary: null,
  chapters: [],
  judgement: null,
  deferrals: { summary: 0, embedding: 0 },
  summaryDeferredFor: null,
};

/** A file of chapters that the author put into a container. */
const TWO_CHAPTERS = JSON.stringify([
  { start: 0, title: 'Knead' },
  { start: 20, title: 'Bake' },
]);

/**
 * Divides recordings with a provider that proposes two chapters.
 * @param files contents of the files in the store, by key
 * @returns the chapters, and the languages that the provider was told
 */
async function divideWith(evidence: Evidence, files: Record<string, string> = {}) {
  const languages: (string | null)[] = [];
  const { summary } = createFakeProviders();
  if (!summary) throw new Error('the fakes lack a provider');
  const summariser: SummaryCapability = {
    ...summary,
    chapters: {
      model: 'fake-1',
      run: async ({ language }) => {
        languages.push(language);
        return fakeResult([
          { start: 0, title: 'Words' },
          { start: 300, title: 'More words' },
        ]);
      },
    },
  };
  const blobs = {
    open: async (key: string) => {
      const bytes = Buffer.from(files[key] ?? '');
      return key in files ? { stream: Readable.from([bytes]), size: bytes.length } : null;
    },
  };
  const deps = { blobs, collectCost: () => {}, logger: createLogger('test', 'silent') } as unknown as AiActivityDeps;
  const drafts = { load: async () => undefined, save: async () => {} };
  const context = { signal: new AbortController().signal, progress: () => {}, resumeFrom: undefined };
  const work = { projectId: 'p', itemId: 'i', step: 'summary' as const, revision: 1 };
  const authored = await readAuthoredChapters(deps, evidence);
  return {
    chapters: await divideRecordings(deps, work, { summariser, evidence, authored, drafts }, context),
    languages,
  };
}

it.each([
  ['the language of the title', 'Как трамвай вернулся в депо после ремонта', null, 'ru'],
  [
    'the language of the words of a title in HTML',
    '<b class="about the-tram of-the-day">Как трамвай вернулся</b>',
    null,
    'ru',
  ],
  ['the language that the project wants', 'Как трамвай вернулся в депо после ремонта', 'kk', 'kk'],
])('chapters are titled in %s', async (_name, title, language, told) => {
  expect((await divideWith({ ...EVIDENCE, title, language })).languages).toEqual([told]);
});

it('the chapters of the container are used, and the provider is not asked for any', async () => {
  const recordings = [
    { mediumId: 'a', durationSec: 600, folder: 'media/p/a/1' },
    { mediumId: 'silent', durationSec: 40, folder: 'media/p/silent/1' },
    { mediumId: 'bare', durationSec: 40, folder: null },
  ];
  const files = { 'media/p/a/1/chapters.json': TWO_CHAPTERS, 'media/p/silent/1/chapters.json': TWO_CHAPTERS };
  expect(await divideWith({ ...EVIDENCE, recordings }, files)).toEqual({
    languages: [],
    chapters: [
      { mediumId: 'a', start: 0, end: 20, title: 'Knead' },
      { mediumId: 'a', start: 20, end: 600, title: 'Bake' },
      { mediumId: 'silent', start: 0, end: 20, title: 'Knead' },
      { mediumId: 'silent', start: 20, end: 40, title: 'Bake' },
    ],
  });
});

it.each([
  ['has one chapter', '[{"start": 0, "title": "All"}]'],
  ['has a file of chapters that cannot be read', '[{"start": "0"'],
  ['has a file of chapters that is too large', `${TWO_CHAPTERS}${' '.repeat(4 * 1024 * 1024)}`],
  ['has a file of chapters of another form', '[{"start": "0", "title": 7}]'],
])('a recording that %s is divided into chapters by its words', async (_name, file) => {
  const { chapters } = await divideWith(EVIDENCE, { 'media/p/a/1/chapters.json': file });
  expect(chapters.map(({ title }) => title)).toEqual(['Words', 'More words']);
});
