import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SEARCH_ATTRIBUTES } from '../../domain/jobs/searchAttributes.ts';
import { createTestTemporal, createTimeSkippingEnv, type TestTemporal } from './temporal.ts';

describe('createTestTemporal', () => {
  let temporal: TestTemporal;
  beforeAll(async () => {
    temporal = await createTestTemporal();
  });
  afterAll(() => temporal.close());

  it('provides a separate namespace, with the search attributes', async () => {
    const other = await createTestTemporal();
    const { customAttributes } = await other.client.connection.operatorService.listSearchAttributes({
      namespace: other.namespace,
    });
    await other.close();
    expect(other.namespace).not.toBe(temporal.namespace);
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.values(SEARCH_ATTRIBUTES)));
  });
});

describe('createTimeSkippingEnv', () => {
  it('starts with a clock that can be moved', async () => {
    const environment = await createTimeSkippingEnv();
    try {
      const before = await environment.currentTimeMs();
      await environment.sleep('20 hours');
      expect((await environment.currentTimeMs()) - before).toBeGreaterThanOrEqual(20 * 3_600_000);
    } finally {
      await environment.teardown();
    }
  });
});
