/** How reports are run. */
import type { LakeSettings } from '../lake/settings.ts';

export interface ReportSettings {
  /** Its memory, threads and folder for temporary files are those of each engine; nobody else's folder. */
  lake: LakeSettings;
  /** Reports at a time in this process. */
  engines: number;
  /** What a report may take, and then what it may take by a sample. */
  seconds: number;
  sampleSeconds: number;
  lateEventHours: number;
  /** Rows of audience dimensions with fewer people are left out. */
  audienceMinPeople: number;
}
