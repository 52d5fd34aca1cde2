/** A server with a new project for each test, which has the items `a` and `b`. */
import { beforeEach, expect } from '@jest/globals';
import { addItems } from '../../../support/people/events.ts';
import { stageApi, type ApiStage } from '../../support/stageApi.ts';
import { clientOf, createTestProject, type Answer, type Client, type TestProject } from '../../support/testApi.ts';

export interface EventsStage extends ApiStage {
  project: TestProject;
  call: Client;
  /** Sends events as one request. */
  post(...events: unknown[]): Promise<Answer>;
  /** Sends an event with these changes. @returns the code with which it was rejected, or null */
  rejection(change: object): Promise<string | null>;
}

/** Registers the hooks; call it before other hooks of the file. */
export function stageEvents(): EventsStage {
  const stage = stageApi() as EventsStage;
  beforeEach(async () => {
    stage.project = await createTestProject(stage.database.pool);
    stage.call = clientOf(stage.api.content, stage.project.key);
    await addItems(stage.database.pool, stage.project.id, ['a', 'b']);
  });
  stage.post = (...events) => stage.call('POST', '/events', { events });
  stage.rejection = async (change) => {
    const { status, body } = await stage.post(event(change));
    expect(status).toBe(202);
    expect(body.accepted + body.duplicates + body.rejected.length).toBe(1);
    return body.rejected[0]?.code ?? null;
  };
  return stage;
}

let count = 0;

/** Returns a valid event with a new id, with these changes. */
export const event = (change: object = {}): Record<string, unknown> => ({
  id: `e-${++count}`,
  type: 'open',
  item: 'a',
  user: { user_id: 'u' },
  ...change,
});

export const DAY_MS = 86_400_000;
export const ago = (ms: number): string => new Date(Date.now() - ms).toISOString();
export const detailsOf = ({ body }: Answer): [string, string][] =>
  body.error.details.map(({ field, code }: { field: string; code: string }) => [field, code]);
