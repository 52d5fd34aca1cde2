import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { Connection } from '@temporalio/client';
import { SEARCH_ATTRIBUTES } from '../../../../domain/jobs/searchAttributes.ts';
import { setUpNamespace } from '../../../../tools/scripts/temporal/namespace.ts';
import { createTestTemporal, type TestTemporal } from '../../../support/temporal.ts';

const KEYWORD = 2;
const INT = 3;
const KEYWORD_LIST = 7;

describe('setUpNamespace', () => {
  let temporal: TestTemporal;
  /** The tests' client is created from a `Connection`, but declares it with a narrower type. */
  const theConnection = (): Connection => temporal.client.connection as Connection;
  const newName = (): string => `setup-${randomBytes(4).toString('hex')}`;
  const retentionOf = async (namespace: string): Promise<number> => {
    const { config } = await temporal.client.workflowService.describeNamespace({ namespace });
    return Number(config?.workflowExecutionRetentionTtl?.seconds);
  };
  beforeAll(async () => {
    temporal = await createTestTemporal();
  });
  afterAll(() => temporal.close());

  it('leaves a namespace in which an attribute can be searched at once', async () => {
    const namespace = newName();
    await setUpNamespace(theConnection(), { namespace, retentionDays: 7 });
    const { customAttributes } = await theConnection().operatorService.listSearchAttributes({ namespace });
    expect(customAttributes).toMatchObject({
      AttuneTenant: KEYWORD,
      AttuneWebhook: KEYWORD,
      AttuneErrorCode: KEYWORD_LIST,
    });
    expect(Object.keys(customAttributes)).toEqual(expect.arrayContaining(Object.values(SEARCH_ATTRIBUTES)));
    expect(await retentionOf(namespace)).toBe(7 * 86_400);
    await expect(
      temporal.client.workflowService.countWorkflowExecutions({ namespace, query: `AttuneTenant = 'a'` }),
    ).resolves.toBeDefined();
  });

  it('changes only the retention of an existing one, and nothing the next time', async () => {
    const namespace = newName();
    await setUpNamespace(theConnection(), { namespace, retentionDays: 1 });
    await setUpNamespace(theConnection(), { namespace, retentionDays: 30 });
    await setUpNamespace(theConnection(), { namespace, retentionDays: 30 });
    expect(await retentionOf(namespace)).toBe(30 * 86_400);
  });

  it('refuses an attribute of another type instead of using it', async () => {
    const namespace = newName();
    const connection = theConnection();
    await connection.workflowService.registerNamespace({
      namespace,
      workflowExecutionRetentionPeriod: msToTs('1 day'),
    });
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: { [SEARCH_ATTRIBUTES.kind]: INT },
    });
    await expect(setUpNamespace(connection, { namespace, retentionDays: 1 })).rejects.toThrow(/AttuneKind/);
  });
});
