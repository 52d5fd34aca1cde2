/** The sizes of what a selection process holds in memory, for its metrics. */
export interface HeldSizes {
  projects: number;
  items: number;
  bytes: number;
  /** Longest time since a catalogue in use was last up to date, in milliseconds. */
  behindMs: number;
}
