/** The services of the stack: what is started, from which file, and whose sources restart it. */

import { join } from 'node:path';
import type { Env } from '../../config.ts';
import { buildTag } from '../tag/build.ts';
import { placeWorkflowBundle } from '../workflowBundle.ts';

export interface ServiceSpec {
  name: string;
  /** Path of the process entry from the project's root. */
  entry: string;
  /** Folders and files whose change restarts the service. */
  sources: readonly string[];
  /** Whether it signs links or reads webhook secrets; the others are not given SECRET_KEY. */
  needsSecretKey?: true;
  /**
   * Makes what the service serves or runs, before each start.
   * @param env the launcher's own
   * @returns settings that tell the service of it, the same each time
   */
  prepare?: (env: Env, dataDir: string) => Promise<Env>;
}

const SHARED = ['config.ts', 'domain', 'db', 'process', 'reports', 'output', 'providers'] as const;
const ACTIVITIES = [...SHARED, 'workers', 'activities', 'schemas', 'blobs', 'outgoing'] as const;

/** In the order of their start; they stop in stages, see stack.ts. A test keeps the sources true to the imports. */
export const SERVICES: readonly ServiceSpec[] = [
  {
    name: 'api',
    entry: 'api/main.ts',
    needsSecretKey: true,
    sources: [...SHARED, 'api', 'schemas', 'dictionaries', 'blobs', 'outgoing', 'tag'],
    prepare: async () => {
      await buildTag();
      return {};
    },
  },
  {
    name: 'relay',
    entry: 'workers/relay.ts',
    sources: [...SHARED, 'workers', 'relay', 'dictionaries', 'blobs', 'outgoing'],
  },
  {
    name: 'workflow',
    entry: 'workers/workflow.ts',
    sources: [...ACTIVITIES, 'workflows'],
    prepare: async (env, dataDir) => {
      if (env.WORKFLOW_BUNDLE?.trim()) return {};
      const path = join(dataDir, 'workflows.js');
      await placeWorkflowBundle(path, env);
      return { WORKFLOW_BUNDLE: path };
    },
  },
  { name: 'media', entry: 'workers/media.ts', sources: ACTIVITIES },
  { name: 'ai', entry: 'workers/ai.ts', sources: ACTIVITIES },
  { name: 'data', entry: 'workers/data.ts', sources: ACTIVITIES },
  { name: 'webhook', entry: 'workers/webhook.ts', needsSecretKey: true, sources: [...ACTIVITIES, 'delivery'] },
  {
    name: 'selection',
    entry: 'workers/selection.ts',
    sources: [...SHARED, 'workers', 'schemas', 'dictionaries', 'blobs', 'outgoing'],
  },
  {
    name: 'ingest',
    entry: 'workers/ingest.ts',
    sources: [...SHARED, 'workers', 'ingest', 'schemas', 'dictionaries', 'blobs', 'outgoing'],
  },
  { name: 'analytics', entry: 'workers/analytics.ts', needsSecretKey: true, sources: [...ACTIVITIES, 'dictionaries'] },
];
