/** What the process of an engine is told, and what it says (advanced serialization of child_process). */
import type { LakeSettings } from '../lake/settings.ts';
import type { Report, ReportRequest, ReportSite } from '../request.ts';
import type { RunOptions } from '../run/runReport.ts';
import type { FaultKind } from './errors.ts';

export interface Job {
  request: ReportRequest;
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
  | { type: 'done'; id: number; report: Report }
  | { type: 'failed'; id: number; kind: FaultKind; message: string };
