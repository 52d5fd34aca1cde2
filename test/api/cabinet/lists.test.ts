/**
 * The form of the cabinet's lists. The operations are read from the API itself, and test clients validate every answer
 * against its schema.
 */
import { expect, it } from '@jest/globals';
import { cabinetOperations } from '../../../api/cabinetApi.ts';

interface Form {
  properties?: Record<string, { type?: unknown }>;
  required?: string[];
}

/** They return the best matches for what is typed, or the latest of what arrives, and have no further pages. */
const WITHOUT_PAGES = [
  '/dictionaries/interests',
  '/dictionaries/purchase-categories',
  '/dictionaries/countries',
  '/dictionaries/regions',
  '/dictionaries/cities',
  '/projects/{id}/events/latest',
];

// proves: decisions-cabinet/lists
it('each list answers {items, next_cursor}, with a cursor that is null at its end', () => {
  const lists = cabinetOperations.flatMap(({ method, path, operationId, replies }) => {
    const { properties = {}, required = [] } = (replies[200]?.schema ?? {}) as Form;
    const isList = method === 'get' && (properties['items']?.type === 'array' || operationId.startsWith('list'));
    return isList && !WITHOUT_PAGES.includes(path) ? [{ path, properties, required }] : [];
  });
  expect(lists.length).toBeGreaterThan(25);
  for (const { path, properties, required } of lists)
    expect([path, properties['items']?.type, properties['next_cursor']?.type, required]).toEqual([
      path,
      'array',
      ['string', 'null'],
      expect.arrayContaining(['items', 'next_cursor']),
    ]);
});
