import { describe, expect, it } from '@jest/globals';
import { managerOf, mayGrant, ROLES } from '../../../domain/accounts/roles.ts';

const SCOPE = { projects: ['project00001'], sites: [] };

describe('mayGrant', () => {
  it('lets an admin give any role, an owner only that of a viewer, and a viewer none', () => {
    const grantable = (own: (typeof ROLES)[number]) => ROLES.filter((role) => mayGrant(own, role));
    expect(ROLES.map(grantable)).toEqual([[], ['viewer'], [...ROLES]]);
  });
});

describe('managerOf', () => {
  it('is everything for an admin, and their own projects and sites for an owner', () => {
    expect(managerOf({ role: 'admin', scope: null })).toBeNull();
    expect(managerOf({ role: 'owner', scope: SCOPE })).toBe(SCOPE);
  });

  it('is nothing for an installation token with the role of an owner', () => {
    expect(managerOf({ role: 'owner', scope: null })).toEqual({ projects: [], sites: [] });
  });
});
