import { describe, expect, it } from '@jest/globals';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';

describe('the ids of tenants', () => {
  // proves: webhook-request/project_id, decisions-keys/tenant-ids
  it('have 12 lower-case letters and digits', () => {
    const ids = Array.from({ length: 500 }, newTenantId);
    expect(ids.every((id) => /^[a-z0-9]{12}$/.test(id))).toBe(true);
    expect(new Set(ids).size).toBe(500);
  });
});
