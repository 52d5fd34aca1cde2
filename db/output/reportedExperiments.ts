/** The experiments that were active in a period, with the people of each variant. */
import type { Sampled } from '../../domain/experiments/samplePeople.ts';
import type { Variant } from '../../domain/output/surfaces.ts';
import type { Ask, ReportQuery } from './outputReport.ts';

export interface ReportedExperiment {
  id: string;
  surface: string;
  variants: Variant[];
  /** Shares or settings changed during the period. */
  isChanged: boolean;
  /** For each variant the sample of the people who were answered since shares or settings were last changed. */
  sample: Sampled[];
}

interface Row {
  id: string;
  surface: string;
  variants: Variant[];
  isChanged: boolean;
  sample: Record<string, Sampled>;
}

export async function readReportedExperiments(
  ask: Ask,
  { projectId, from, until, surface }: ReportQuery,
): Promise<ReportedExperiment[]> {
  const rows = await ask<Row>(
    `select e.id, e.surface, e.variants, e.changed_at > $2 and exists (
              select from output_snapshots s where s.project_id = $1 and s.created_at >= $2 and s.created_at < least($3, e.changed_at)
                 and s.surface = e.surface and s.variant like e.id || '.%') as "isChanged",
            coalesce((select json_object_agg(variant, json_build_object('people', people, 'marks', marks)) from (
              select p.variant, count(*) as people, sum(p.mark) as marks from experiment_people p
               where p.project_id = $1 and p.experiment = e.id and p.since = e.changed_at
               group by p.variant) as sampled), '{}') as sample
       from output_experiments e
      where e.project_id = $1 and ($4::text is null or e.surface = $4) and e.starts_at < $3
        and (e.ends_at is null or e.ends_at > $2) and (e.detached_at is null or e.detached_at > $2)
      order by e.starts_at, e.id`,
    [projectId, from, until, surface],
  );
  return rows.map(({ sample, ...experiment }) => ({
    ...experiment,
    sample: experiment.variants.map((_, index) => sample[index] ?? { people: 0, marks: 0 }),
  }));
}
