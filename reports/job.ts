/** The work of an engine: a report or another question, with the site and the options that it needs. */
import type { Language } from '../domain/language.ts';
import type { Kind, Requests } from './mapAndVisitQuestions.ts';
import type { ReportSite } from './reportRequest.ts';

/** Options of a run, in addition to the request. */
export interface RunOptions {
  language: Language;
  /** Whether only a tenth of the visitors or persons is read. */
  sampled: boolean;
  /** LATE_EVENT_HOURS: how far a visit's start may have moved. */
  lateEventHours: number;
  /** Results about fewer people are left out if the report has an audience dimension, filter or segment. */
  audienceMinPeople: number;
}

export interface JobOf<K extends Kind> {
  kind: K;
  request: Requests[K];
  site: ReportSite;
  options: RunOptions;
}

export type Job = { [K in Kind]: JobOf<K> }[Kind];
