/**
 * The lifetime of a recording `r` of a site `s`, from its first chunk on, in SQL. favourites.ts limits how many a site may
 * keep longer.
 */
import { DEFAULT_QUOTAS } from '../../domain/sites/siteQuotas.ts';

/** Number of days for which a favourite recording is kept. */
export const FAVOURITE_DAYS = 90;

/** The site's present quota; a changed quota also applies to existing recordings. */
export const QUOTA_DAYS = `coalesce((s.quotas->>'recording_days')::int, ${DEFAULT_QUOTAS.recording_days})`;

/** A favourite is never kept for a shorter time than the others. */
export const LIFE = `make_interval(days => case when r.is_favourite then greatest(${FAVOURITE_DAYS}, ${QUOTA_DAYS}) else ${QUOTA_DAYS} end)`;
