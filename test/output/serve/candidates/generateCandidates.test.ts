import { describe, expect, it } from '@jest/globals';
import type { OutputRequest } from '../../../../output/serve/request/outputRequest.ts';
import { createGenerator, type GeneratorDeps } from '../../../../output/serve/candidates/generateCandidates.ts';
import { popularPath } from '../../../../output/serve/request/pathsAndDefaults.ts';
import type { RankQuestion } from '../../../../output/messages/selectionMessages.ts';
import { NO_RULES } from '../../../support/showRules.ts';

/** Generates candidates for a page that stays empty. @returns the questions to selection */
async function questionsOf(history: readonly string[]): Promise<RankQuestion[]> {
  const asked: RankQuestion[] = [];
  const selection = {
    deadlineMs: 10_000,
    async rank(question: RankQuestion) {
      asked.push(question);
      return { ranked: [], mode: 'popular', model: null, isAll: false };
    },
  };
  const request = {
    projectId: 'p',
    path: popularPath({ period: '7d', trend: false, region: null }),
    subjects: [],
    boosts: [],
    diversity: 0,
    maxPerAuthor: null,
    limit: 20,
    includeSeen: false,
  } as unknown as OutputRequest;
  const generator = createGenerator({ selection } as unknown as GeneratorDeps, request, {
    rules: NO_RULES,
    suppressed: [],
    tasting: { taste: { items: [], interests: [], followedAuthors: [] }, places: [] },
    lowered: [],
    shown: new Set(),
    readSeen: () => Promise.resolve(history),
    seed: 1,
  });
  for (let round = 0; round < 8; round += 1) await generator.next({ excluded: new Set(), kept: [], limit: 60 });
  return asked;
}

describe('the questions for a page', () => {
  // proves: output-request/include_seen
  it('name everything that the person has met, once other questions have found too little', async () => {
    const met = Array.from({ length: 50_000 }, (_, n) => `i-${n}`);
    const passedOver = (await questionsOf(met)).map((question) => question.passedOver.length);
    expect(passedOver).toEqual([0, 0, 0, 0, 50_000, 50_000, 50_000, 50_000]);
  });
});
