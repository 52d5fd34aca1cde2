/** Checks people: every link holds, profiles were moved once, and nothing of deleted people is left. */
import type { ExpectedPerson } from '../load/expected.ts';
import type { CheckContext } from './context.ts';

interface IdentityRow {
  owner: string;
  id: string;
  mergedInto: string | null;
  city: string | null;
}

export async function checkPeople(context: CheckContext): Promise<void> {
  const { pool, expected, findings, projects } = context;
  const { rows } = await pool.query<IdentityRow>(
    `select i.kind || ':' || i.external_id as owner, i.id, i.merged_into as "mergedInto", p.city
       from identities i left join profiles p on p.project_id = i.project_id and p.identity_id = i.id
      where i.project_id = $1 and i.dead_at is null`,
    [projects.main.id],
  );
  const living = new Map(rows.map((row) => [row.owner, row]));
  findings.add('doubled', 'identifiers that lead to two living identities', rows.length - living.size);
  findings.countCompared('people', expected.people.length);
  for (const person of expected.people) {
    if (person.isDeleted) requireGone(context, person, living);
    else requireLinked(context, person, living);
  }
  await checkDead(context);
}

function requireLinked(
  { findings }: CheckContext,
  { userId, devices, city }: ExpectedPerson,
  living: ReadonlyMap<string, IdentityRow>,
): void {
  const user = living.get(`user:${userId}`);
  if (!user) return findings.add('lost', `user ${userId} is not there`);
  if (user.city !== city) findings.add('lost', `the profile of ${userId} has the city ${user.city}`);
  for (const device of devices) {
    const row = living.get(`anonymous:${device}`);
    if (row?.mergedInto !== user.id) findings.add('lost', `device ${device} is not linked to ${userId}`);
    if (row?.city) findings.add('doubled', `device ${device} still has a profile`);
  }
}

function requireGone(
  { findings }: CheckContext,
  { userId, devices }: ExpectedPerson,
  living: ReadonlyMap<string, IdentityRow>,
): void {
  for (const owner of [`user:${userId}`, ...devices.map((device) => `anonymous:${device}`)]) {
    if (living.has(owner)) findings.add('lost', `${owner} was deleted but is still known`);
  }
}

/** Checks that deleted people are purged, except for the second pass, which looks for latecomers ten minutes later. */
async function checkDead({ pool, findings, projects }: CheckContext): Promise<void> {
  const { rows } = await pool.query<{ what: string; count: number }>(
    `with dead as (select id from identities where project_id = $1 and dead_at is not null)
     select 'events' as what, count(*)::int from events where project_id = $1 and identity_id in (select id from dead)
     union all select 'states', count(*)::int from event_states where project_id = $1 and identity_id in (select id from dead)
     union all select 'orders', count(*)::int from orders where project_id = $1 and identity_id in (select id from dead)
     union all select 'profiles', count(*)::int from profiles where project_id = $1 and identity_id in (select id from dead)`,
    [projects.main.id],
  );
  for (const { what, count } of rows) findings.add('unfinished', `${count} ${what} of deleted people`, count);
}
