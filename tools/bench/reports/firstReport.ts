/** Measures the first report, from the start of the engines. */
import type { Figure } from '../support/report.ts';
import { siteOf } from './engines.ts';
import type { BenchFolder } from './folder.ts';
import { openReports } from './product.ts';
import { SUITE } from './suite/index.ts';

const TIMES = 3;

export async function firstReport(folder: BenchFolder, siteId: string): Promise<Figure[]> {
  const request = SUITE[0]?.request;
  if (request === undefined) throw new Error('the suite is empty');
  const times: number[] = [];
  for (let time = 0; time < TIMES; time += 1) {
    const begun = performance.now();
    const reports = openReports(folder);
    try {
      await reports.run(request, siteOf(siteId));
      times.push((performance.now() - begun) / 1_000);
    } finally {
      await reports.close();
    }
  }
  return [
    {
      name: 'the first report (days of 10 million hits) from the start of its process on, slowest of three',
      value: Math.max(...times),
      unit: 's',
      aim: '< 2',
    },
  ];
}
