/** Settings of the report engines. */
import type { LakeSettings } from '../lake/lakeSettings.ts';

export interface ReportSettings {
  /** Memory, threads and the folder for temporary files apply to each engine; nothing else may use the folder. */
  lake: LakeSettings;
  /** Maximum number of reports running at a time in this process. */
  engines: number;
  /** Time limit of a report, and again of its sample. */
  seconds: number;
  sampleSeconds: number;
  lateEventHours: number;
  /** Rows of audience dimensions with fewer people are left out. */
  audienceMinPeople: number;
}
