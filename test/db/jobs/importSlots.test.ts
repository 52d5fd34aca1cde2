/** POST /projects/{id}/imports: concurrent uploads share the limit of imports. */
import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { readdir } from 'node:fs/promises';
import { expect, it } from '@jest/globals';
import { IMPORTS_UNFINISHED } from '../../../domain/jobs/imports.ts';
import { eventually } from '../../support/eventually.ts';
import { stageApi } from '../../api/support/stageApi.ts';
import { clientOf, createTestProject, createTestToken } from '../../api/support/testApi.ts';

const stage = stageApi();
const LINE = '{"id":"a","type":"text","title":"A"}\n';

interface StartedUpload {
  body: ClientRequest;
  answer: Promise<number>;
}

/** Starts an upload whose first half has arrived. */
function send(projectId: string, token: string): StartedUpload {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/x-ndjson',
    'content-length': String(2 * LINE.length),
    expect: '100-continue',
  };
  const body = httpRequest(`${stage.api.cabinet}/projects/${projectId}/imports`, { method: 'POST', headers });
  body.on('continue', () => body.write(LINE)).on('error', () => {});
  const answer = once(body, 'response').then((values) => {
    const [response] = values as [IncomingMessage];
    response.resume();
    return response.statusCode ?? 0;
  });
  body.flushHeaders();
  return { body, answer };
}

async function slots(projectId: string): Promise<number> {
  return (
    (await stage.database.pool.query('select from import_uploads where project_id = $1', [projectId])).rowCount ?? 0
  );
}

it('simultaneous uploads beyond the limit are refused before a byte of them is requested', async () => {
  const { id } = await createTestProject(stage.database.pool);
  const token = await createTestToken(stage.database.pool);
  const sent = Array.from({ length: IMPORTS_UNFINISHED + 4 }, () => send(id, token));
  const outcomes = await Promise.all(
    sent.map(({ body, answer }) => Promise.race([answer, once(body, 'continue').then(() => 'asked for' as const)])),
  );
  expect(outcomes.filter((outcome) => outcome === 422)).toHaveLength(4);
  expect(outcomes.filter((outcome) => outcome === 'asked for')).toHaveLength(IMPORTS_UNFINISHED);
  expect(await readdir(stage.api.config.workDir)).toHaveLength(IMPORTS_UNFINISHED);
  const accepted = sent.filter((_, index) => outcomes[index] === 'asked for');
  for (const { body } of accepted) body.end(LINE);
  expect(await Promise.all(accepted.map(({ answer }) => answer))).toEqual(Array(IMPORTS_UNFINISHED).fill(202));
  expect(await slots(id)).toBe(0);
});

it('an upload that breaks off frees its slot, and the slot of a killed process expires', async () => {
  const { id } = await createTestProject(stage.database.pool);
  const token = await createTestToken(stage.database.pool);
  const { body, answer } = send(id, token);
  answer.catch(() => {});
  await once(body, 'continue');
  expect(await slots(id)).toBe(1);
  body.destroy();
  await eventually(async () => (await slots(id)) === 0, 'the slot of the broken upload');
  await stage.database.pool.query(
    `insert into import_uploads select $1, gen_random_uuid(), now() + interval '1 minute' from generate_series(1, $2)`,
    [id, IMPORTS_UNFINISHED],
  );
  const call = clientOf(stage.api.cabinet, token);
  const post = () =>
    call('POST', `/projects/${id}/imports`, LINE, { headers: { 'content-type': 'application/x-ndjson' } });
  expect((await post()).status).toBe(422);
  await stage.database.pool.query(`update import_uploads set expires_at = now() - interval '1 second'`);
  expect((await post()).status).toBe(202);
  expect(await slots(id)).toBe(0);
});
