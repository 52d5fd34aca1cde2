/**
 * Positions of clicks and scrolls, for maps, in a table beside the hits: the previous release writes hits by position,
 * so the columns of hits must not change. A row without its hit identifies nobody, because it names no visitor.
 */
import { LAYOUT_FIELDS } from '../../domain/collect/collected.ts';
import { LAYOUT, quotedName } from './tables.ts';

export const LAYOUTS = 'hit_layouts';

/** Columns of the hit: they find its layout and determine its retention. */
const KEYS = ['site_id', 'hit_id', 'visit_started_at'] as const;

/** Returns the statements that create the table. */
export function createLayouts(): string[] {
  const columns = Object.entries(LAYOUT).map(([name, { type }]) => `${quotedName(name)} ${type}`);
  return [
    `create table if not exists lake.${LAYOUTS} (site_id VARCHAR, hit_id UUID, visit_started_at TIMESTAMP, ${columns.join(', ')})`,
    `alter table lake.${LAYOUTS} set partitioned by (year(visit_started_at), month(visit_started_at))`,
    `alter table lake.${LAYOUTS} set sorted by (site_id, visit_started_at)`,
  ];
}

/**
 * Returns the statements that put staged hits and their layouts into the lake.
 * @param staged the temporary table of the hits
 */
export function insertHits(staged: string): string[] {
  const layout = LAYOUT_FIELDS.join(', ');
  return [
    `insert into lake.hits by name select * exclude (batch, ${layout}) from ${staged}`,
    `insert into lake.${LAYOUTS} by name select ${KEYS.join(', ')}, ${layout} from ${staged} where coalesce(${layout}) is not null`,
  ];
}

/** Returns the condition of the layouts whose hits fulfil `condition`. */
export function layoutsOf(condition: string): string {
  return `hit_id in (select hit_id from lake.hits where ${condition})`;
}
