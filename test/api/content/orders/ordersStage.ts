/** A server with a new project for each test, and readers of its orders. */
import { beforeEach } from '@jest/globals';
import { expandedEvents, readOrder, type OrderEvent } from '../../../support/people/orders.ts';
import { stageApi, type ApiStage } from '../../support/stageApi.ts';
import { clientOf, createTestProject, type Client, type TestProject } from '../../support/testApi.ts';

export interface OrdersStage extends ApiStage {
  /** A new one for each test. */
  project: TestProject;
  call: Client;
  /** Expands all orders as the workflow does, and returns the events of one order, or of all. */
  events(orderId?: string | null): Promise<OrderEvent[]>;
  /** Returns the order's row. */
  orderRow(orderId: string): ReturnType<typeof readOrder>;
}

/** Registers the hooks; call it before other hooks of the file. */
export function stageOrders(): OrdersStage {
  const stage = stageApi() as OrdersStage;
  beforeEach(async () => {
    stage.project = await createTestProject(stage.database.pool);
    stage.call = clientOf(stage.api.content, stage.project.key);
  });
  stage.events = (orderId = null) => expandedEvents(stage.database.pool, stage.project.id, orderId);
  stage.orderRow = (orderId) => readOrder(stage.database.pool, stage.project.id, orderId);
  return stage;
}

const DAY_MS = 86_400_000;
export const user = { user_id: 'u1' };
export const daysAgo = (days: number, plusMs = 0): string =>
  new Date(Date.now() - days * DAY_MS + plusMs).toISOString();
export const detailsOf = (body: { error: { details: { field: string; code: string }[] } }): [string, string][] =>
  body.error.details.map(({ field, code }) => [field, code]);
