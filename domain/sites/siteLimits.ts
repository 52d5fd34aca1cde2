/** The rate limits of the keys of a site. Defaults are those of the API's document. */

export interface SiteLimits {
  requests_per_second: number;
  output_per_second: number;
  reports_simultaneous: number;
  reports_per_minute: number;
}

export const DEFAULT_SITE_LIMITS: Readonly<SiteLimits> = {
  requests_per_second: 20,
  output_per_second: 50,
  reports_simultaneous: 2,
  reports_per_minute: 60,
};
