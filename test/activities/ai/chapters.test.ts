import { expect, it } from '@jest/globals';
import { divide } from '../../../activities/ai/chapters.ts';
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
  const languages: (string | null)[] = [];
  const { summary } = createFakeProviders();
  if (!summary) throw new Error('the fakes lack a provider');
  const summariser: SummaryCapability = {
    ...summary,
    chapters: {
      model: 'fake-1',
      run: async (input) => {
        languages.push(input.language);
        return fakeResult([]);
      },
    },
  };
  const text = SEGMENTS.map((segment) => segment.text).join(' ');
  const evidence: Evidence = {
    type: 'video',
    language,
    topics: [],
    title,
    description: null,
    body: null,
    transcripts: [{ mediumId: 'a', durationSec: 600, text, segments: SEGMENTS }],
    frames: [],
    pictures: [],
    media: [],
    summary: null,
    chapters: [],
    judgement: null,
    deferrals: { summary: 0, embedding: 0 },
  };
  const deps = { collectCost: () => {}, logger: createLogger('test', 'silent') } as unknown as AiActivityDeps;
  const drafts = { load: async () => undefined, save: async () => {} };
  const context = { signal: new AbortController().signal, progress: () => {}, resumeFrom: undefined };
  const work = { projectId: 'p', itemId: 'i', step: 'summary' as const, revision: 1 };
  await divide(deps, work, { summariser, evidence, drafts }, context);
  expect(languages).toEqual([told]);
});
