/**
 * Questions to the lake other than reports: maps of a page (with the limits of pageMapLimits.ts), and the recorded
 * visits of a segment.
 */
import type { Report, ReportRequest, Segment } from './reportRequest.ts';

interface Rows {
  /** YYYY-MM-DD, days of the site's time zone, both included. */
  date_from: string;
  date_to: string;
}

/** Visits of the segment, without robots. */
export interface PageQuestion extends Rows {
  /** An address, compared as the filter `page_url` does with `eq`. */
  page: string;
  /** A device_type of visits; null for any. */
  device: string | null;
  segment: Segment | null;
}

export interface VisitsQuestion extends Rows {
  segment: Segment;
}

/** Clicks of one element. */
export interface ClickedElement {
  /** As the tag wrote it (clients/tag/page/selector.ts). */
  selector: string;
  clicks: number;
  /**
   * Cells of clicks, counted from the left and the top, 0 to `CLICK_CELLS` − 1; clicks without a position have no
   * cell.
   */
  cells: { x: number; y: number; clicks: number }[];
}

export interface ClickMap {
  /** Page views of the page. */
  views: number;
  /** All clicks, including those on other elements. */
  clicks: number;
  /** Sorted by clicks, the most clicked first. */
  elements: ClickedElement[];
  sampled: boolean;
}

export interface ScrollMap {
  views: number;
  /**
   * Number of page views that were scrolled at least to each of `SCROLL_DEPTHS`; one that was never scrolled
   * counts as 0.
   */
  reached: number[];
  /** Percent; 0 without page views. */
  averageDepth: number;
  sampled: boolean;
}

export interface RecordedVisits {
  /** The newest first. */
  visits: string[];
  sampled: false;
}

/** Requests by kind of question. */
export interface Requests {
  report: ReportRequest;
  clicks: PageQuestion;
  scrolls: PageQuestion;
  visits: VisitsQuestion;
}
export interface Answers {
  report: Report;
  clicks: ClickMap;
  scrolls: ScrollMap;
  visits: RecordedVisits;
}
export type Kind = keyof Requests;
export type QuestionKind = Exclude<Kind, 'report'>;
export type Answer = Answers[Kind];

/** A tenth of the visitors cannot represent individual visits. */
export const MAY_BE_SAMPLED: Readonly<Record<Kind, boolean>> = {
  report: true,
  clicks: true,
  scrolls: true,
  visits: false,
};
