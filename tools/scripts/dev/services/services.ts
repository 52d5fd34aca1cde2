/** The services of the stack: their names, entry points, and the sources that restart them. */

import { join } from 'node:path';
import type { Env } from '../../../../config.ts';
import { buildCabinet } from '../../cabinet/build.ts';
import { buildTag } from '../../tag/build.ts';
import { writeWorkflowBundle } from '../../temporal/workflowBundle.ts';

export interface ServiceSpec {
  name: string;
  /** Path of the entry point from the project's root. */
  entry: string;
  /** Folders and files that restart the service when they change. */
  sources: readonly string[];
  /** True when it signs links or reads webhook secrets; other services do not get SECRET_KEY. */
  needsSecretKey?: true;
  /**
   * Builds what the service serves or runs, before each start.
   * @param env the launcher's environment
   * @returns the settings that point the service to it, always the same
   */
  prepare?: (env: Env, dataDir: string) => Promise<Env>;
}

const SHARED = ['config.ts', 'domain', 'db', 'platform', 'reports', 'output', 'providers'] as const;
const ACTIVITIES = [...SHARED, 'workers', 'activities'] as const;

/** In start order; they stop in stages, see stack.ts. A test keeps `sources` consistent with the imports. */
export const SERVICES: readonly ServiceSpec[] = [
  {
    name: 'api',
    entry: 'api/main.ts',
    needsSecretKey: true,
    sources: [...SHARED, 'api', 'clients/tag'],
    prepare: async () => {
      await Promise.all([buildTag(), buildCabinet()]);
      return {};
    },
  },
  {
    name: 'relay',
    entry: 'workers/relay.ts',
    sources: [...SHARED, 'workers', 'loops/relay'],
  },
  {
    name: 'workflow',
    entry: 'workers/workflow.ts',
    sources: [...ACTIVITIES, 'workflows'],
    prepare: async (env, dataDir) => {
      if (env.WORKFLOW_BUNDLE?.trim()) return {};
      const path = join(dataDir, 'workflows.js');
      await writeWorkflowBundle(path, env);
      return { WORKFLOW_BUNDLE: path };
    },
  },
  { name: 'media', entry: 'workers/media.ts', sources: ACTIVITIES },
  { name: 'ai', entry: 'workers/ai.ts', sources: ACTIVITIES },
  { name: 'data', entry: 'workers/data.ts', sources: ACTIVITIES },
  { name: 'webhook', entry: 'workers/webhook.ts', needsSecretKey: true, sources: [...ACTIVITIES, 'loops/delivery'] },
  {
    name: 'selection',
    entry: 'workers/selection.ts',
    sources: [...SHARED, 'workers'],
  },
  {
    name: 'ingest',
    entry: 'workers/ingest.ts',
    sources: [...SHARED, 'workers', 'loops/ingest'],
  },
  { name: 'analytics', entry: 'workers/analytics.ts', needsSecretKey: true, sources: ACTIVITIES },
];
