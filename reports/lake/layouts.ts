/**
 * Where clicks and scrolls were, for maps, in a table beside the hits: the previous release writes hits by position,
 * so their own columns stay as they are. A row without its hit leads to nobody, for it names no visitor.
 */
import { LAYOUT_FIELDS } from '../../domain/collected.ts';
import { LAYOUT, quoted } from './tables.ts';

export const LAYOUTS = 'hit_layouts';

/** Columns of the hit, by which its layout is found and kept as long. */
const KEYS = ['site_id', 'hit_id', 'visit_started_at'] as const;

/** Statements that make the table. */
export function createLayouts(): string[] {
  const columns = Object.entries(LAYOUT).map(([name, { type }]) => `${quoted(name)} ${type}`);
  return [
    `create table if not exists lake.${LAYOUTS} (site_id VARCHAR, hit_id UUID, visit_started_at TIMESTAMP, ${columns.join(', ')})`,
    `alter table lake.${LAYOUTS} set partitioned by (year(visit_started_at), month(visit_started_at))`,
    `alter table lake.${LAYOUTS} set sorted by (site_id, visit_started_at)`,
  ];
}

/** Statements that put staged hits and their layouts into the lake. @param staged the temporary table of the hits */
export function insertHits(staged: string): string[] {
  const layout = LAYOUT_FIELDS.join(', ');
  return [
    `insert into lake.hits by name select * exclude (batch, ${layout}) from ${staged}`,
    `insert into lake.${LAYOUTS} by name select ${KEYS.join(', ')}, ${layout} from ${staged} where coalesce(${layout}) is not null`,
  ];
}

/** The condition of the layouts whose hits fulfil `condition`. */
export function layoutsOf(condition: string): string {
  return `hit_id in (select hit_id from lake.hits where ${condition})`;
}
