/** A project with its client, and a text item, for tests of the content side. */
import type pg from 'pg';
import { insertClient } from '../../db/accounts/clients.ts';
import { insertProject } from '../../db/accounts/projects.ts';
import { newTenantId } from '../../domain/accounts/tenantIds.ts';
import type { ItemContent } from '../../domain/items/item.ts';

export async function createTestProject(pool: pg.Pool): Promise<string> {
  const projectId = newTenantId();
  await insertProject(pool, { id: projectId, clientId: await insertClient(pool, 'test'), title: 'test' });
  return projectId;
}

/** Returns a text item; tests override the fields that they are about. */
export function textItem(content: Partial<ItemContent> = {}): ItemContent {
  return {
    type: 'text',
    title: 'Заголовок',
    description: null,
    body: 'Первое предложение. Второе предложение.',
    author: null,
    url: null,
    publishedAt: null,
    properties: null,
    media: [],
    available: true,
    ...content,
  };
}
