/** Messages between an engine's process and its parent (advanced serialization of child_process). */
import type { Job } from '../job.ts';
import type { LakeSettings } from '../lake/lakeSettings.ts';
import type { Answer } from '../mapAndVisitQuestions.ts';
import type { FaultKind } from './errors.ts';

export type ToEngine =
  | { type: 'open'; lake: LakeSettings }
  | { type: 'run'; id: number; job: Job }
  | { type: 'interrupt'; id: number };

export type FromEngine =
  | { type: 'open' }
  | { type: 'refused'; message: string }
  | { type: 'done'; id: number; answer: Answer }
  | { type: 'failed'; id: number; kind: FaultKind; message: string };
