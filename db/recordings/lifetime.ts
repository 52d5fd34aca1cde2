/** How long a recording `r` of a site `s` is kept from its first chunk on, in SQL. */
import { FAVOURITE_DAYS } from '../../domain/recordings.ts';
import { DEFAULT_QUOTAS } from '../../domain/sites.ts';

/** By the site's quota as it is now: a changed one holds for what is there. */
export const QUOTA_DAYS = `coalesce((s.quotas->>'recording_days')::int, ${DEFAULT_QUOTAS.recording_days})`;

/** No favourite is kept shorter than the others. */
export const LIFE = `make_interval(days => case when r.is_favourite then greatest(${FAVOURITE_DAYS}, ${QUOTA_DAYS}) else ${QUOTA_DAYS} end)`;
