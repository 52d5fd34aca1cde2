/**
 * A separate database account of the report engines for each test, since accounts belong to the server that all
 * tests share.
 */
import { randomBytes } from 'node:crypto';
import { grantReports } from '../../../db/reports/enginePrivileges.ts';
import type { TestDatabase } from '../database.ts';

export interface ReportRole {
  /** URL of the database with this account. */
  url: string;
  /** Call it before the database is dropped. */
  drop(): Promise<void>;
}

export async function createReportRole({ url, pool }: TestDatabase): Promise<ReportRole> {
  const name = `reports_${randomBytes(4).toString('hex')}`;
  const own = new URL(url);
  own.username = name;
  own.password = 'secret';
  await pool.query(`create role ${name} login password 'secret'`);
  await pool.query(`alter role ${name} set default_transaction_read_only = on`);
  await grantReports(url, own.href);
  return {
    url: own.href,
    drop: async () => void (await pool.query(`drop owned by ${name}; drop role ${name}`)),
  };
}
