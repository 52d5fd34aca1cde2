/**
 * Items created by orders: products outside the catalogue. domain/orders/orderLines.ts decides which lines create one
 * and which are rejected.
 */
import type pg from 'pg';
import { propertyFaults, type PropertyDeclaration } from '../../domain/items/properties.ts';
import type { OrderedProduct } from '../../domain/orders/orderLines.ts';
import { neverAnalysed } from '../../domain/analysis/steps.ts';
import { listProperties } from './properties.ts';
import { insertItems, type NewItem } from './bulkRows.ts';

/**
 * Creates items for products that an order named: unavailable, with nothing to analyse. An item that was created in the
 * meantime stays as it is. Filterable properties of a wrong type are left out, because a purchase is not refused for
 * them.
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
  await insertItems(
    client,
    projectId,
    products.map(({ id, title, properties }): NewItem => ({
      id,
      type: 'text',
      title,
      properties: fitting(properties, declared),
      origin: 'order',
      available: false,
      deleted: false,
      revision: 1,
      status: 'ready',
      steps: neverAnalysed(),
      requestId,
    })),
  );
}

function fitting(
  properties: Record<string, unknown> | null,
  declared: readonly PropertyDeclaration[],
): Record<string, unknown> | null {
  if (properties === null) return null;
  const unfit = new Set(
    declared.filter((declaration) => propertyFaults([declaration], properties).length > 0).map(({ name }) => name),
  );
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !unfit.has(name)));
}
