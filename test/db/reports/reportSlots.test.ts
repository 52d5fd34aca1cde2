import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { deleteExpiredReportSlots, releaseReportSlot, takeReportSlot } from '../../../db/reports/reportSlots.ts';
import { createTestDatabase, type TestDatabase } from '../../support/database.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('slots for reports', () => {
  it('are limited per key, however many ask at the same moment', async () => {
    const taken = await Promise.all(
      Array.from({ length: 16 }, (_none, number) => takeReportSlot(database.pool, `key:${number % 2}`, 2, 60)),
    );
    expect(taken.filter((slot) => slot !== null)).toHaveLength(4);
    expect(new Set(taken.filter((_slot, number) => number % 2 === 0 && taken[number] !== null)).size).toBe(2);
  });

  it('are free again once they are returned', async () => {
    const slot = await takeReportSlot(database.pool, 'key:back', 1, 60);
    expect(await takeReportSlot(database.pool, 'key:back', 1, 60)).toBeNull();
    await releaseReportSlot(database.pool, slot ?? '');
    expect(await takeReportSlot(database.pool, 'key:back', 1, 60)).toEqual(expect.any(String));
  });

  it('are free again when they expire, and their former holder frees nobody else’s', async () => {
    const slot = await takeReportSlot(database.pool, 'key:dead', 1, 60);
    await database.pool.query(`update report_slots set expires_at = now() where key = 'key:dead'`);
    const next = await takeReportSlot(database.pool, 'key:dead', 1, 60);
    expect(next).not.toBeNull();
    await releaseReportSlot(database.pool, slot ?? '');
    expect(await takeReportSlot(database.pool, 'key:dead', 1, 60)).toBeNull();
    const { rows } = await database.pool.query(`select id from report_slots where key = 'key:dead'`);
    expect(rows).toEqual([{ id: next }]);
  });

  it('are deleted once they have expired, even if nobody asks with their key again', async () => {
    await takeReportSlot(database.pool, 'key:gone', 1, 0);
    const kept = await takeReportSlot(database.pool, 'key:kept', 1, 60);
    await deleteExpiredReportSlots(database.pool, 1_000);
    const { rows } = await database.pool.query('select key from report_slots where key in ($1, $2)', [
      'key:gone',
      'key:kept',
    ]);
    expect(rows).toEqual([{ key: 'key:kept' }]);
    await releaseReportSlot(database.pool, kept ?? '');
  });
});
