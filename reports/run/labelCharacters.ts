/** How long the labels of a report may be together; a longer report is refused. */
import type { ReportRequest } from '../reportRequest.ts';
import { REPORT_LIMITS } from '../validate/reportLimits.ts';

/**
 * Enough for the 10,000 rows of an answer with the longest addresses that can be sent (20.5 million), and for the
 * 100,000 rows of a file with long ones. A process holds the text several times: as objects, as messages between
 * processes and as JSON.
 */
const MAX_CHARACTERS = { answer: 32_000_000, file: 64_000_000 } as const;

/** Returns the maximum number of characters of all labels of a report. */
export function maxLabelCharacters({ limit }: Pick<ReportRequest, 'limit'>): number {
  return limit > REPORT_LIMITS.rows ? MAX_CHARACTERS.file : MAX_CHARACTERS.answer;
}
