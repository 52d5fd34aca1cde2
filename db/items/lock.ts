/** The item row as a write sees it, locked for its transaction. */
import type pg from 'pg';
import type { StoredMediumIdentity } from '../../domain/mediaIdentity.ts';
import type { ItemContent, ItemHead, ItemOrigin } from '../../domain/item.ts';
import type { ItemStatus, ItemType, MediaKind, StepRecords } from '../../domain/steps.ts';

export interface LockedItem extends ItemHead {
  type: ItemType;
  title: string | null;
  description: string | null;
  body: string | null;
  author: string | null;
  url: string | null;
  publishedAt: Date;
  properties: Record<string, unknown> | null;
  origin: ItemOrigin;
  revision: number;
  createdAt: Date;
  media: StoredMediumIdentity[];
}

interface ItemRow {
  id: string;
  type: ItemType;
  title: string | null;
  description: string | null;
  body: string | null;
  author: string | null;
  url: string | null;
  published_at: Date;
  properties: Record<string, unknown> | null;
  origin: ItemOrigin;
  available: boolean;
  deleted: boolean;
  revision: string;
  status: ItemStatus;
  steps: StepRecords;
  created_at: Date;
}

/** Reads and locks an item with its media; null when the project has none of that id. */
export async function lockItem(client: pg.PoolClient, projectId: string, itemId: string): Promise<LockedItem | null> {
  const { rows } = await client.query<ItemRow>({
    name: 'item-lock',
    text: `select id, type, title, description, body, author, url, published_at, properties, origin, available,
                  deleted, revision, status, steps, created_at
             from items where project_id = $1 and id = $2 for update`,
    values: [projectId, itemId],
  });
  const row = rows[0];
  if (!row) return null;
  const { published_at: publishedAt, created_at: createdAt, revision, ...rest } = row;
  return { ...rest, publishedAt, createdAt, revision: Number(revision), media: await readMedia(client, projectId, itemId) };
}

async function readMedia(client: pg.PoolClient, projectId: string, itemId: string): Promise<StoredMediumIdentity[]> {
  const { rows } = await client.query<{ medium_id: string; position: number; kind: MediaKind; url: string; version: string | null }>({
    name: 'item-media-identities',
    text: `select medium_id, position, kind, url, version from item_media
            where project_id = $1 and item_id = $2 order by position`,
    values: [projectId, itemId],
  });
  return rows.map(({ medium_id: mediumId, ...rest }) => ({ mediumId, ...rest }));
}

/** What a write compares with and PATCH merges into. */
export function contentOf(item: LockedItem): ItemContent {
  const { type, title, description, body, author, url, publishedAt, properties, available } = item;
  const media = item.media.map(({ kind, url: mediumUrl, version }) => ({ kind, url: mediumUrl, version }));
  return { type, title, description, body, author, url, publishedAt, properties, available, media };
}
