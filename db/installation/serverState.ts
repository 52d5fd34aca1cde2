/** Metrics of the PostgreSQL server and its backups. */
import type { Queryable } from '../pool.ts';
import { writeServiceReport } from './serviceReports.ts';

/** The name of the backup's row in `service_reports`. */
const BACKUP = 'backup';
/** Number of transactions until PostgreSQL refuses to write, because its transaction ids would wrap around. */
const WRAPAROUND = 2 ** 31;

export interface ServerState {
  /** Share of max_connections in use, 0 to 1. */
  connections: number;
  /** Share of the transaction ids that the oldest row has used up, 0 to 1. */
  transactions: number;
  /** Seconds for which the archive has accepted no WAL file although one waited; 0 when it accepts them, or is off. */
  archiveFailingSeconds: number;
  /** Seconds since the last backup; since the installation when there was none. */
  backupAgeSeconds: number;
}

export async function readServerState(pool: Queryable): Promise<ServerState> {
  const { rows } = await pool.query<ServerState>({
    name: 'server-state',
    text: `select (select sum(numbackends) from pg_stat_database)::float8 / current_setting('max_connections')::float8 as connections,
                  (select max(age(datfrozenxid)) from pg_database)::float8 / ${WRAPAROUND} as transactions,
                  (select case when last_failed_time > coalesce(last_archived_time, '-infinity')
                               then extract(epoch from now() - coalesce(last_archived_time, stats_reset)) else 0 end
                     from pg_stat_archiver)::float8 as "archiveFailingSeconds",
                  extract(epoch from now() - coalesce((select updated_at from service_reports where service = '${BACKUP}'),
                                                      (select min(applied_at) from migrations)))::float8 as "backupAgeSeconds"`,
  });
  return rows[0] as ServerState;
}

/** Records that a backup was made just now. */
export function recordBackup(pool: Queryable): Promise<void> {
  return writeServiceReport(pool, BACKUP, {});
}
