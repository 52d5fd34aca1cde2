/** The privileges of the report engines' role: engines run statements that are built from users' requests. */
import pg from 'pg';

/** All of DuckLake's catalogue, including tables that later versions add. */
const CATALOGUE_SCHEMA = 'lake';
/** The product's own tables that reports need entirely; none of them holds a key, a secret or an account. */
export const REPORT_TABLES = [
  'lake_batches',
  'lake_failed',
  'lake_versions',
  'network_sites',
  'service_reports',
  'site_people',
  'site_person_interests',
  'site_person_values',
  'site_visitor_users',
  'site_visitors',
  'site_visits',
] as const;
/** Reports need two columns of `sites`; the table also holds each site's identity_secret, though only encrypted. */
export const REPORT_COLUMNS = { sites: ['id', 'asks_for_proof'] } as const;

/**
 * Grants the role of `reportUrl` read access to the tables that reports need. Safe to repeat.
 * @param databaseUrl the address with which the owner of the tables connects
 * @returns true when something was granted: the owner needs no grants
 * @throws {Error} when the role does not exist, with instructions to create it
 */
export async function grantReports(databaseUrl: string, reportUrl: string): Promise<boolean> {
  const role = decodeURIComponent(new URL(reportUrl).username);
  if (role === decodeURIComponent(new URL(databaseUrl).username)) return false;
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'attune-migrate' });
  await client.connect();
  try {
    await requireRole(client, role);
    const name = pg.escapeIdentifier(role);
    await client.query(`create schema if not exists ${CATALOGUE_SCHEMA}`);
    await client.query(
      // Earlier releases granted these tables entirely. This is one transaction, because reports run in the meantime.
      `grant usage on schema public, ${CATALOGUE_SCHEMA} to ${name};
       ${columnGrants(name)}
       grant select on ${REPORT_TABLES.join(', ')} to ${name};
       grant select on all tables in schema ${CATALOGUE_SCHEMA} to ${name};
       alter default privileges in schema ${CATALOGUE_SCHEMA} grant select on tables to ${name}`,
    );
    return true;
  } finally {
    await client.end();
  }
}

function columnGrants(name: string): string {
  return Object.entries(REPORT_COLUMNS)
    .map(
      ([table, columns]) =>
        `revoke select on ${table} from ${name}; grant select (${columns.join(', ')}) on ${table} to ${name};`,
    )
    .join(' ');
}

async function requireRole(client: pg.Client, role: string): Promise<void> {
  const { rowCount } = await client.query('select 1 from pg_roles where rolname = $1', [role]);
  if (rowCount === 1) return;
  throw new Error(
    `REPORT_DATABASE_URL: there is no account ${role}. As the superuser: create role ${role} login password '…'; alter role ${role} set default_transaction_read_only = on; grant connect on database … to ${role}`,
  );
}
