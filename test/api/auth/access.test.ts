/** Revoking an access takes effect at once in every API process on the database. */
import { describe, expect, it } from '@jest/globals';
import { eventually } from '../../support/eventually.ts';
import { atOnce, stageTwoApis } from '../support/stageTwoApis.ts';
import { clientOf, createTestProject, type Answer, type TestProject } from '../support/testApi.ts';
import { setClientState } from '../../support/setClientState.ts';

const stage = stageTwoApis();

const askBoth = ({ key }: TestProject): Promise<Answer[]> =>
  Promise.all(stage.apis.map((api) => clientOf(api.content, key)('GET', '/event-types')));
const statuses = async (project: TestProject): Promise<number[]> =>
  (await askBoth(project)).map(({ status }) => status);

const bothAnswer = (project: TestProject, status: number): Promise<boolean> =>
  eventually(async () => (await statuses(project)).every((given) => given === status), `${status} of both`);

/**
 * Checks that both processes know the key, and that after `change` both answer `status` long before their caches
 * expire.
 */
async function expectAtOnce(change: (project: TestProject) => Promise<unknown>, status: number): Promise<void> {
  await atOnce(async () => {
    const project = await createTestProject(stage.database.pool);
    expect(await statuses(project)).toEqual([200, 200]);
    await change(project);
    await bothAnswer(project, status);
  });
}

describe('these changes take effect at once, in both processes:', () => {
  it('a key is revoked in the cabinet', async () => {
    await expectAtOnce(({ id, keyId }) => stage.admin('DELETE', `/projects/${id}/keys/${keyId}`), 401);
  });

  it.each(['suspended', 'archived'])('a project becomes %s, and active again', async (state) => {
    await expectAtOnce(async (project) => {
      await stage.admin('PATCH', `/projects/${project.id}`, { state });
      await bothAnswer(project, 403);
      await stage.admin('PATCH', `/projects/${project.id}`, { state: 'active' });
    }, 200);
  });

  it('a client is blocked', async () => {
    await expectAtOnce(({ clientId }) => setClientState(stage.database.pool, clientId, 'blocked'), 403);
  });

  // proves: decisions-cabinet/project-limits
  it('a limit changes', async () => {
    await expectAtOnce(async (project) => {
      await stage.admin('PATCH', `/projects/${project.id}`, { limits: { requests_per_second: 1 } });
      // Sends the one request that each process still admits.
      await statuses(project);
    }, 429);
  });

  it('a key is deleted by hand', async () => {
    await expectAtOnce(
      ({ keyId }) => stage.database.pool.query('delete from project_keys where id = $1', [keyId]),
      401,
    );
  });
});

it('a change that does not affect access is not announced', async () => {
  const project = await createTestProject(stage.database.pool);
  const { rows } = await stage.database.pool.query(
    `select tgname from pg_trigger where tgname in ('project_keys_access', 'projects_access', 'clients_access') order by tgname`,
  );
  expect(rows).toHaveLength(3);
  const client = await stage.database.pool.connect();
  try {
    const heard: string[] = [];
    client.on('notification', ({ payload }) => void heard.push(payload ?? ''));
    await client.query('listen access');
    await client.query('update project_keys set last_used_at = now() where project_id = $1', [project.id]);
    await client.query(`update projects set title = 'x', state = state where id = $1`, [project.id]);
    await client.query('select 1');
    expect(heard).toEqual([]);
    await client.query(`update projects set fingerprints = not fingerprints where id = $1`, [project.id]);
    await eventually(() => heard.length === 1, 'the notification of a real change');
  } finally {
    client.release(true);
  }
});
