/**
 * Limits of the keys of a project, in requests per second of each key. Those of a site are in sites/siteLimits.ts.
 */

export interface ProjectLimits {
  requests_per_second: number;
  /** Output and search are counted apart. */
  output_per_second: number;
}

/** The limits of the content API's document. */
export const DEFAULT_PROJECT_LIMITS: Readonly<ProjectLimits> = {
  requests_per_second: 20,
  output_per_second: 100,
};

/** @param own the limits of the project that differ from the defaults */
export function projectLimits(own: Partial<ProjectLimits>): ProjectLimits {
  return {
    requests_per_second: own.requests_per_second ?? DEFAULT_PROJECT_LIMITS.requests_per_second,
    output_per_second: own.output_per_second ?? DEFAULT_PROJECT_LIMITS.output_per_second,
  };
}
