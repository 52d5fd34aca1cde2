import { expect, it } from '@jest/globals';
import { auditEntryOf, isAudited } from '../../../api/auth/audit.ts';
import { cabinetOperations } from '../../../api/cabinetApi.ts';

/** Parameters of paths that name nobody, so the audit trail stores them. */
const OF_NOBODY = [
  'code',
  'delivery_id',
  'id',
  'item',
  'key_id',
  'name',
  'recording',
  'report',
  'rerun',
  'sid',
  'surface',
  'wid',
];

it('the audit trail stores no parameter that names a person (PERSONAL in api/auth/audit.ts)', () => {
  const stored = cabinetOperations.filter(isAudited).flatMap((operation) => {
    const names = [...operation.path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
    const request = {
      caller: { role: 'admin', name: 'a', user: null, tokenId: null, sessionHash: null, scope: null, bucket: '' },
      operation,
      params: Object.fromEntries(names.map((name) => [name, 'x'])),
      body: {},
      ip: '192.0.2.1',
      status: 200,
      requestId: 'r',
    } as const;
    return Object.keys(auditEntryOf(request).params);
  });
  expect([...new Set(stored)].toSorted()).toEqual(OF_NOBODY);
});
