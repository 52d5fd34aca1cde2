/** Reports are streamed one after the other, whatever their reader does. */
import { once } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import type { HttpError } from '../../../api/http/errors.ts';
import type { ReportSlot } from '../../../api/reports/runForClient.ts';
import { streamReports } from '../../../api/reports/streamReports.ts';
import type { Report } from '../../../reports/reportRequest.ts';

const LONG = 'x'.repeat(600_000);
const reportOf = (label: string): Report => ({
  data: [{ dimensions: [label], metrics: [1] }],
  totals: [1],
  sampled: false,
  timezone: 'UTC',
  rows: 1,
});

function createSlot(): ReportSlot & { said: string[] } {
  const said: string[] = [];
  const say = (what: string) => async () => void said.push(what);
  return { said, run: () => Promise.reject(new Error('not asked')), renew: say('renew'), release: say('release') };
}

function streamOf(slot: ReportSlot, labels: readonly string[], silenceMs?: number) {
  let begun = 0;
  const runs = labels.map((label) => async () => {
    begun += 1;
    return reportOf(label);
  });
  const stream = streamReports({
    slot,
    runs,
    toHttpError: (error) => error as HttpError,
    write: ({ index }) => `${index}\n`,
    ...(silenceMs !== undefined && { silenceMs }),
  });
  return { stream, begun: () => begun };
}

describe('streamed reports', () => {
  it('renew their slot for each report, and free it before the last line', async () => {
    const slot = createSlot();
    const { stream } = streamOf(slot, ['a', 'b', 'c']);
    const lines: string[] = [];
    for await (const line of stream) {
      if (line === '2\n') expect(slot.said).toEqual(['renew', 'renew', 'release']);
      lines.push(line);
    }
    expect(lines).toEqual(['0\n', '1\n', '2\n']);
  });

  it('hold the slot of a large last report until it is read', async () => {
    const slot = createSlot();
    const { stream } = streamOf(slot, [LONG]);
    for await (const _line of stream) expect(slot.said).toEqual([]);
    expect(slot.said).toEqual(['release']);
  });

  it('end when nothing is read, and start no more than they can send', async () => {
    const slot = createSlot();
    const { stream, begun } = streamOf(slot, Array(12).fill('a'), 20);
    stream.read(0);
    await once(stream, 'close');
    expect(begun()).toBeLessThanOrEqual(2);
    expect(slot.said).toContain('release');
  });

  it('free their slot when nobody starts to read', async () => {
    const slot = createSlot();
    const { stream, begun } = streamOf(slot, ['a']);
    stream.destroy();
    await once(stream, 'close');
    expect([begun(), slot.said]).toEqual([0, ['release']]);
  });
});
