/**
 * Which visits were robots', of those whose rows are gone while conversions and orders of theirs stay: reports leave
 * these out as before. A table of its own, for the previous release writes facts by position.
 */
export const FORMER_ROBOTS = 'former_robot_visits';

/** Statements that make the table. */
export function createFormerRobots(): string[] {
  return [
    `create table if not exists lake.${FORMER_ROBOTS} (site_id VARCHAR, visit_id UUID, started_at TIMESTAMP)`,
    `alter table lake.${FORMER_ROBOTS} set sorted by (site_id, started_at)`,
  ];
}

/**
 * A statement that notes them of the visits that fulfil `condition`.
 * @param factsUntil in SQL: a visit that began after it may still get its first fact
 */
export function noteFormerRobots(condition: string, factsUntil: string): string {
  const withFacts = ['conversions', 'orders']
    .map((table) => `select visit_id from lake.${table} where visit_id is not null`)
    .join(' union all ');
  return `insert into lake.${FORMER_ROBOTS} by name select site_id, visit_id, started_at from lake.visits
           where is_robot and ${condition} and (started_at > ${factsUntil} or visit_id in (${withFacts}))`;
}
