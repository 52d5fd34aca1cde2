import type { Refusal } from '../../../data/report/invalidCombinations.ts';
import type { Words } from '../../../words/en/index.ts';

/**
 * Returns a sentence that explains why a report is invalid.
 * @param title returns the title of a field
 */
export function refusalText(refusal: Refusal, { report: { refusals } }: Words, title: (id: string) => string): string {
  switch (refusal.why) {
    case 'excludes':
      return refusals.excludes(title(refusal.metric), title(refusal.dimension));
    case 'needs_one':
      return refusals.needs_one(title(refusal.metric));
    case 'too_many':
      return refusals.too_many(refusal.most);
    default:
      return refusals.no_metric;
  }
}
