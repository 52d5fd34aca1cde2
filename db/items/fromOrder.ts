/** Items created by orders: products outside the catalogue. */
import type pg from 'pg';
import { propertyFaults, type PropertyDeclaration } from '../../domain/items/properties.ts';
import type { OrderedProduct } from '../../domain/orders/orders.ts';
import { neverAnalysed } from '../../domain/analysis/steps.ts';
import { listProperties } from './properties.ts';

/**
 * Creates items for products that an order named: unavailable, with nothing to analyse. An item that was created in the
 * meantime stays as it is. Filterable properties of a wrong type are left out, because a purchase is not refused for
 * them. The rows are ordered, so that requests never deadlock.
 */
export async function createOrderItems(
  client: pg.PoolClient,
  projectId: string,
  requestId: string | null,
  products: readonly OrderedProduct[],
): Promise<void> {
  if (products.length === 0) return;
  const declared = products.some(({ properties }) => properties !== null)
    ? await listProperties(client, projectId)
    : [];
  await client.query(
    `insert into items (project_id, id, type, title, published_at, properties, origin, available, revision, status, steps, request_id, created_at, updated_at)
     select $1, p.id, 'text', p.title, date_trunc('milliseconds', now()), p.properties::jsonb, 'order', false, 1, 'ready', $5::jsonb, $6,
            date_trunc('milliseconds', now()), clock_timestamp()
       from unnest($2::text[], $3::text[], $4::text[]) as p (id, title, properties)
      order by p.id
     on conflict do nothing`,
    [
      projectId,
      products.map(({ id }) => id),
      products.map(({ title }) => title),
      products.map(({ properties }) => fittingJson(properties, declared)),
      neverAnalysed(),
      requestId,
    ],
  );
}

function fittingJson(
  properties: Record<string, unknown> | null,
  declared: readonly PropertyDeclaration[],
): string | null {
  if (properties === null) return null;
  const unfit = new Set(
    declared.filter((declaration) => propertyFaults([declaration], properties).length > 0).map(({ name }) => name),
  );
  return JSON.stringify(Object.fromEntries(Object.entries(properties).filter(([name]) => !unfit.has(name))));
}
