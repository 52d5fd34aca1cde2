/** Messages between an engine's process and its parent (advanced serialization of child_process). */
import type { LakeSettings } from '../lake/lakeSettings.ts';
import type { Answer, Kind, Requests } from '../questions.ts';
import type { ReportSite } from '../reportRequest.ts';
import type { RunOptions } from '../run/runReport.ts';
import type { FaultKind } from './errors.ts';

/** A report, or another question. */
export type Job = { [K in Kind]: JobOf<K> }[Kind];

export interface JobOf<K extends Kind> {
  kind: K;
  request: Requests[K];
  site: ReportSite;
  options: RunOptions;
}

export type ToEngine =
  | { type: 'open'; lake: LakeSettings }
  | { type: 'run'; id: number; job: Job }
  | { type: 'interrupt'; id: number };

export type FromEngine =
  | { type: 'open' }
  | { type: 'refused'; message: string }
  | { type: 'done'; id: number; answer: Answer }
  | { type: 'failed'; id: number; kind: FaultKind; message: string };
