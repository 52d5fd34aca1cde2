import { describe, expect, it } from '@jest/globals';
import { SUMS } from '../../../../domain/output/popularity.ts';
import type { PopularQuestion } from '../../../../output/messages/selectionMessages.ts';
import { rank } from '../../../../output/selection/rank/rank.ts';
import { NO_RULES } from '../../../support/showRules.ts';
import { catalogueOf, change, PLAIN_ORDERING } from '../../support/catalogues.ts';

const DAY_MS = 86_400_000;
const QUESTION: PopularQuestion = {
  kind: 'popular',
  period: '7d',
  trend: false,
  region: null,
  projectId: 'p',
  rules: NO_RULES,
  suppressed: [],
  passedOver: [],
  ordering: PLAIN_ORDERING,
  limit: 10,
};
const inDays = (days: number) => ({ publishedAt: new Date(Date.now() + days * DAY_MS) });
const popular = Array.from({ length: SUMS }, () => 5);

describe('popular items', () => {
  it('have the reason `popular` if people have met them, and `new` otherwise, whatever their date', () => {
    const catalogue = catalogueOf([
      change('tomorrow', inDays(1)),
      change('now', inDays(0)),
      change('last-year', inDays(-365)),
      change('met', inDays(-365)),
    ]);
    catalogue.popularity.set(catalogue.slotOf('met') ?? -1, popular);
    // Added after the scores that are the same for everybody were computed.
    const later = change('added', inDays(1));
    rank(catalogue, QUESTION);
    catalogue.apply([later]);
    const reasons = rank(catalogue, QUESTION).ranked.map(({ id, reason }) => [id, reason.code]);
    expect(Object.fromEntries(reasons)).toEqual({
      met: 'popular',
      tomorrow: 'new',
      added: 'new',
      now: 'new',
      'last-year': 'new',
    });
    expect(reasons[0]).toEqual(['met', 'popular']);
  });
});
