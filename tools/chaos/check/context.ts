/** The inputs of every part of the checker. */
import type { Client } from '@temporalio/client';
import type pg from 'pg';
import type { ChaosReceiver } from '../fault.ts';
import type { Expected, ProjectName } from '../load/expected.ts';
import type { Sender, Target } from '../load/sender.ts';
import type { Lake } from '../../../reports/lake/index.ts';
import type { Findings } from './findings.ts';

export interface CheckContext {
  pool: pg.Pool;
  temporal: Client;
  expected: Expected;
  sender: Sender;
  projects: Record<ProjectName, Target & { id: string }>;
  site: { id: string };
  /** The project whose models are trained. */
  trainingProject: { id: string };
  openLake(): Promise<Lake>;
  /** Receivers by project. */
  receivers: Record<ProjectName, readonly ChaosReceiver[]>;
  findings: Findings;
}

export const PROJECT_NAMES = ['main', 'rush'] as const satisfies readonly ProjectName[];
