/** POST /sites/{id}/reports/batch: one request for several reports, in one slot. */
import { request } from 'node:http';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../../../support/eventually.ts';
import { createHeldReports } from '../../support/heldReports.ts';
import { createTestUser, tokenOf } from '../../support/people.ts';
import { stageApi } from '../../support/stageApi.ts';
import { clientOf, type Answer, type Client } from '../../support/testApi.ts';
import { createTestSite, type TestSite } from '../../support/testSite.ts';

const held = createHeldReports();
const stage = stageApi({ reports: held });
let site: TestSite;

beforeAll(async () => {
  site = await createTestSite(stage.database.pool);
});
afterAll(() => held.release());

const GOOD = { dimensions: ['source_type'], metrics: ['visits'], date_from: '2026-06-01', date_to: '2026-06-30' };

const newToken = async (): Promise<string> =>
  tokenOf(stage.database.pool, await createTestUser(stage.database.pool, 'viewer', { sites: [site.id] }));
const newClient = async (): Promise<Client> => clientOf(stage.api.cabinet, await newToken());
const ask = (client: Client, reports: unknown[], id = site.id): Promise<Answer> =>
  client('POST', `/sites/${id}/reports/batch`, { reports });
const nextReport = (): ReturnType<typeof held.nth> => held.nth(held.asked.length);

async function slotsTaken(): Promise<number> {
  const { rows } = await stage.database.pool.query<{ count: string }>('select count(*) from report_slots');
  return Number(rows[0]?.count);
}

/** Sends the request and reads the answer line by line. */
async function openLines(token: string, reports: unknown[]) {
  const sent = request(`${stage.api.cabinet}/sites/${site.id}/reports/batch`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ reports }));
  const lines: unknown[] = [];
  sent.once('response', (response) => {
    response.setEncoding('utf8').on('error', () => undefined);
    // Each line is a separate write.
    response.on('data', (text: string) =>
      lines.push(
        ...text
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    );
  });
  return { lines, leave: () => sent.destroy() };
}

describe('POST /sites/{id}/reports/batch', () => {
  // proves: decisions-cabinet-app/report-batch
  it('returns each report as soon as it is finished, one after the other', async () => {
    const first = nextReport();
    const { lines } = await openLines(await newToken(), [GOOD, { ...GOOD, metrics: ['visitors'] }]);
    (await first).finish({ totals: [7] });
    const second = await nextReport();
    await eventually(() => lines.length === 1, 'the first line');
    expect(lines[0]).toMatchObject({ index: 0, report: { totals: [7], rows: 1 }, error: null });
    expect(second.request.metrics).toEqual(['visitors']);
    second.finish();
    await eventually(() => lines.length === 2, 'the second line');
    expect(await slotsTaken()).toBe(0);
  });

  it('returns the fault of a request at its position, and the reports of the others', async () => {
    const client = await newClient();
    const next = nextReport();
    const waiting = ask(client, [{ ...GOOD, metrics: ['luck'] }, 7, GOOD, GOOD]);
    (await next).fail(Object.assign(new Error('too slow'), { name: 'ReportTimeoutError' }));
    (await nextReport()).finish();
    const { status, headers, body } = await waiting;
    expect([status, headers.get('content-type')]).toEqual([200, 'application/x-ndjson; charset=utf-8']);
    expect(body).toMatchObject([
      {
        index: 0,
        report: null,
        error: {
          status: 422,
          code: 'validation_failed',
          details: [{ field: 'metrics[0]', code: 'unknown_metric', message: expect.stringMatching(/[а-я]/) }],
        },
      },
      { index: 1, error: { status: 422, details: [{ field: '', code: 'invalid_type' }] } },
      { index: 2, report: null, error: { status: 503, code: 'unavailable', retry_after: 30, details: null } },
      { index: 3, report: { totals: [1] }, error: null },
    ]);
  });

  it('continues after an internal error, which is logged', async () => {
    const client = await newClient();
    const next = nextReport();
    const waiting = ask(client, [GOOD, GOOD]);
    (await next).fail(new Error('a bug'));
    (await nextReport()).finish();
    const { headers, body } = await waiting;
    expect(body).toMatchObject([{ error: { status: 500, code: 'internal' } }, { error: null }]);
    const requestId = headers.get('x-request-id');
    expect(stage.api.log.filter((line) => line['requestId'] === requestId)).toEqual(
      expect.arrayContaining([expect.objectContaining({ msg: 'unexpected error' })]),
    );
  });

  // proves: decisions-cabinet-app/report-batch
  it('takes one of the two report slots of its user', async () => {
    const client = await newClient();
    const [one, other] = [held.nth(held.asked.length), held.nth(held.asked.length + 1)];
    const batch = ask(client, [GOOD, GOOD, GOOD]);
    const single = client('POST', `/sites/${site.id}/reports`, GOOD);
    await Promise.all([one, other]);
    const { status, headers } = await ask(client, [GOOD]);
    expect([status, headers.get('retry-after')]).toEqual([429, '1']);
    held.release();
    expect([(await single).status, (await batch).body.length]).toEqual([200, 3]);
    held.hold();
  });

  it('ends when its reader disconnects, including the running report, and frees its slot', async () => {
    const next = nextReport();
    const { leave } = await openLines(await newToken(), [GOOD, GOOD]);
    const { signal } = await next;
    leave();
    if (!signal.aborted) await once(signal, 'abort');
    await eventually(async () => (await slotsTaken()) === 0, 'the free slot');
    const made = held.asked.length;
    await eventually(() => stage.api.log.some((line) => line['status'] === 499), 'the line of the request');
    expect(held.asked.length).toBe(made);
  });

  // proves: decisions-cabinet-app/report-batch
  it('refuses a batch without requests or with more than 12', async () => {
    const client = await newClient();
    const { body } = await ask(
      client,
      Array.from({ length: 12 }, () => ({ ...GOOD, metrics: ['luck'] })),
    );
    expect(body.map(({ index }: { index: number }) => index)).toEqual(Array.from({ length: 12 }, (_, index) => index));
    for (const [reports, code] of [
      [[], 'invalid_value'],
      [Array.from({ length: 13 }, () => GOOD), 'too_long'],
    ] as const)
      expect((await ask(client, [...reports])).body.error.details).toEqual([
        { field: 'reports', code, message: expect.any(String) },
      ]);
  });

  it('answers 404 for a site that the reader may not see', async () => {
    const other = await createTestSite(stage.database.pool);
    expect((await ask(await newClient(), [GOOD], other.id)).status).toBe(404);
  });
});
