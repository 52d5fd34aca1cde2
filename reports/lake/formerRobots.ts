/**
 * Ids of deleted robot visits whose conversions and orders stay, so that reports still leave these out. They are in a
 * separate table because the previous release writes facts by position.
 */
export const FORMER_ROBOTS = 'former_robot_visits';

/** Returns the statements that create the table. */
export function createFormerRobots(): string[] {
  return [
    `create table if not exists lake.${FORMER_ROBOTS} (site_id VARCHAR, visit_id UUID, started_at TIMESTAMP)`,
    `alter table lake.${FORMER_ROBOTS} set sorted by (site_id, started_at)`,
  ];
}

/**
 * Returns a statement that records the robot visits that fulfil `condition`.
 * @param factsUntil SQL of a time; a visit that began after it may still get its first fact
 */
export function recordFormerRobots(condition: string, factsUntil: string): string {
  const withFacts = ['conversions', 'orders']
    .map((table) => `select visit_id from lake.${table} where visit_id is not null`)
    .join(' union all ');
  return `insert into lake.${FORMER_ROBOTS} by name select site_id, visit_id, started_at from lake.visits
           where is_robot and ${condition} and (started_at > ${factsUntil} or visit_id in (${withFacts}))`;
}
