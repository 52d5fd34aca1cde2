/**
 * Assigns shards to ingesting sessions, by advisory locks. A lock ends with its session, and so does everything that
 * the session had not committed: nobody else can get a shard that is still being written.
 */
import { SHARDS } from '../../domain/collect/shards.ts';
import { LOCK_CLASSES } from '../lockKeys.ts';
import type { Queryable } from '../pool.ts';

const { shards: SHARD_LOCKS, presence: PRESENCE_LOCK } = LOCK_CLASSES;

/**
 * Announces to the others that this session ingests, until it ends. The server checks a silent session within half a
 * minute: the machine of a worker may fail silently, and its shards would wait for hours.
 */
export async function announce(session: Queryable): Promise<void> {
  await session.query(`select set_config(name, value, false)
    from (values ('tcp_keepalives_idle', '10'), ('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '4')) s (name, value)`);
  await session.query('select pg_advisory_lock_shared($1, 0)', [PRESENCE_LOCK]);
}

/**
 * Takes free shards up to this session's share, or returns those beyond it.
 * @param held the shards that the session has
 * @returns the shards that it has now, ascending
 */
export async function balanceShards(session: Queryable, held: readonly number[]): Promise<number[]> {
  const { sessions, taken } = await readLocks(session);
  const part = Math.ceil(SHARDS / Math.max(1, sessions));
  if (held.length > part) {
    await releaseShards(session, held.slice(part));
    return held.slice(0, part);
  }
  const free = Array.from({ length: SHARDS }, (_, shard) => shard)
    .filter((shard) => !taken.has(shard))
    .slice(0, part - held.length);
  if (free.length === 0) return [...held];
  // Another session may have locked some of them first.
  const { rows } = await session.query<{ shard: number; locked: boolean }>(
    'select shard, pg_try_advisory_lock($1, shard) as locked from unnest($2::int[]) shard',
    [SHARD_LOCKS, free],
  );
  return [...held, ...rows.filter(({ locked }) => locked).map(({ shard }) => shard)].sort((a, b) => a - b);
}

async function releaseShards(session: Queryable, shards: readonly number[]): Promise<void> {
  await session.query('select pg_advisory_unlock($1, shard) from unnest($2::int[]) shard', [SHARD_LOCKS, shards]);
}

async function readLocks(session: Queryable): Promise<{ sessions: number; taken: Set<number> }> {
  const { rows } = await session.query<{ kind: number; shard: number }>(
    `select classid::int as kind, objid::int as shard from pg_locks
      where locktype = 'advisory' and objsubid = 2 and granted and classid::bigint in ($1, $2)
        and database = (select oid from pg_database where datname = current_database())`,
    [SHARD_LOCKS, PRESENCE_LOCK],
  );
  const taken = new Set(rows.filter(({ kind }) => kind === SHARD_LOCKS).map(({ shard }) => shard));
  return { sessions: rows.filter(({ kind }) => kind === PRESENCE_LOCK).length, taken };
}
