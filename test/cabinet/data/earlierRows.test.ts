/** The earlier values beside the rows of a report. */
import { expect, it } from '@jest/globals';
import { createEarlierFinder } from '../../../cabinet/src/data/report/earlierRows.ts';

const DAYS = {
  now: { from: '2024-02-01', to: '2024-02-29' },
  before: { from: '2023-02-01', to: '2023-02-28' },
};

it.each([
  ['date', '2024-02-28', '2024-02-29'],
  ['date_hour', '2024-02-28T10:00', '2024-02-29T10:00'],
])(
  'earlier values are zero for a day without rows, and unknown for a day that the earlier period lacks, by %s',
  (by, known, lacking) => {
    const report = { data: [], rows: 0, totals: [0] } as never;
    const find = createEarlierFinder([by], report, DAYS);
    expect(find([known])).toEqual([0]);
    expect(find([lacking])).toBeNull();
  },
);
