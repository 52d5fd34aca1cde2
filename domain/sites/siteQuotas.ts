/** The quotas of a site. Defaults are those of the API's document. */

export interface SiteQuotas {
  /** Per Moscow day. */
  hits_per_day: number;
  recordings_per_day: number;
  /** Megabytes (1024²) of recordings per Moscow day, of the site and of one address. */
  recording_mb_per_day: number;
  recording_mb_per_address: number;
  retention_months: number;
  recording_days: number;
  favourites: number;
  goals: number;
}

export const DEFAULT_QUOTAS: Readonly<SiteQuotas> = {
  hits_per_day: 1_000_000,
  recordings_per_day: 1_000,
  recording_mb_per_day: 4_096,
  recording_mb_per_address: 512,
  retention_months: 13,
  recording_days: 15,
  favourites: 100,
  goals: 200,
};
