/** The experiments that were active in a period, with the people of each variant. */
import type { Variant } from '../../domain/output/surfaces.ts';
import type { Ask, ReportWanted } from './outputReport.ts';

export interface ReportedExperiment {
  id: string;
  surface: string;
  variants: Variant[];
  /** Shares or settings changed during the period. */
  isChanged: boolean;
  /** For each variant the number of people who were assigned under the present shares. */
  people: number[];
}

interface Row {
  id: string;
  surface: string;
  variants: Variant[];
  isChanged: boolean;
  people: Record<string, number>;
}

/** Counted by first pages, because later pages follow from them. */
export async function readReportedExperiments(
  ask: Ask,
  { projectId, from, until, surface }: ReportWanted,
): Promise<ReportedExperiment[]> {
  const rows = await ask<Row>(
    `select e.id, e.surface, e.variants, e.changed_at > $2 and exists (
              select from output_snapshots s where s.project_id = $1 and s.created_at >= $2 and s.created_at < least($3, e.changed_at)
                 and s.surface = e.surface and s.variant like e.id || '.%') as "isChanged",
            coalesce((select json_object_agg(variant, people) from (
              select s.variant, count(distinct coalesce(s.identity_id::text, s.id)) as people from output_snapshots s
               where s.project_id = $1 and s.created_at >= greatest($2, e.changed_at) and s.created_at < $3
                 and s.surface = e.surface and s.page = 0 and s.variant like e.id || '.%'
               group by s.variant) as seen), '{}') as people
       from output_experiments e
      where e.project_id = $1 and ($4::text is null or e.surface = $4) and e.starts_at < $3
        and (e.ends_at is null or e.ends_at > $2) and (e.detached_at is null or e.detached_at > $2)
      order by e.starts_at, e.id`,
    [projectId, from, until, surface],
  );
  return rows.map(({ people, ...experiment }) => ({
    ...experiment,
    people: experiment.variants.map((_, index) => people[`${experiment.id}.${index}`] ?? 0),
  }));
}
