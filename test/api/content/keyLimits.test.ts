import { afterAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { Registry } from 'prom-client';
import { contentOperations, createContentApi } from '../../../api/contentApi.ts';
import { DEFAULT_PROJECT_LIMITS } from '../../../domain/accounts/projectLimits.ts';
import { createOutput } from '../../../output/serve/createOutput.ts';
import { createLogger } from '../../../platform/process/logger.ts';
import { getItemOperation } from '../../../api/content/items/itemRead.ts';
import { searchOperation } from '../../../api/content/output/search.ts';

const pool = new pg.Pool();
const output = createOutput(
  pool,
  { urls: [], deadlineMs: 0, cursorKey: Buffer.alloc(32) },
  { logger: createLogger('api', 'silent'), registry: new Registry() },
);
afterAll(() => output.close());

const api = createContentApi(
  {
    authenticate: () => Promise.reject(new Error('not asked here')),
    pool,
    validators: () => () => [],
    frameUrl: () => '',
    impressionIdDays: 30,
    ledgerKey: Buffer.alloc(32),
    output,
    checkHealth: () => Promise.resolve({ status: 'ok', reasons: [] }),
  },
  null,
);
/** Limits that an operation applies itself; their own tests prove it. */
const APPLIED_ELSEWHERE: readonly string[] = [];
const caller = (limits: { requests_per_second?: number; output_per_second?: number }) => ({
  projectId: 'p',
  keyId: 'k',
  limits,
  fingerprints: false,
});
const limitOf = (limits: { requests_per_second?: number }) => api.limitOf(caller(limits), getItemOperation);

describe('the limit of a key', () => {
  // proves: limits/other-methods, output-limits/other-requests, decisions-order/buckets
  it("is 20 requests a second, with a burst of one second's worth", () => {
    expect(limitOf({})).toEqual({ key: 'key/k', limit: { capacity: 20, perSecond: 20 } });
  });

  it("is the project's own if it has one", () => {
    expect(limitOf({ requests_per_second: 100 })?.limit).toEqual({ capacity: 100, perSecond: 100 });
    expect(limitOf({ requests_per_second: 0.5 })?.limit).toEqual({ capacity: 1, perSecond: 0.5 });
  });

  // proves: limits/output, output-limits/100-a-second
  it("is, in addition, 100 output requests a second, or the project's own number", () => {
    const ofOutput = (limits: { output_per_second?: number }) => api.limitOf(caller(limits), searchOperation);
    expect(ofOutput({})).toEqual({ key: 'output/k', limit: { capacity: 100, perSecond: 100 } });
    expect(ofOutput({ output_per_second: 7 })?.limit).toEqual({ capacity: 7, perSecond: 7 });
  });

  it.each(Object.keys(DEFAULT_PROJECT_LIMITS).filter((name) => !APPLIED_ELSEWHERE.includes(name)))(
    'applies to some operation, whichever an administrator sets: %s',
    (name) => {
      const limits = contentOperations.map((operation) => api.limitOf(caller({ [name]: 7 }), operation)?.limit);
      expect(limits).toContainEqual({ capacity: 7, perSecond: 7 });
    },
  );
});
