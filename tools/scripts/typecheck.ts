/** `npm run typecheck`: checks every TypeScript project, even after one has failed, so that it reports all faults. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PROJECTS = ['.', 'clients/tag', 'cabinet'];

const TSC = join(ROOT, 'node_modules/typescript/bin/tsc');

function passes(project: string): boolean {
  const { status, error } = spawnSync(process.execPath, [TSC, '--noEmit', '-p', project], {
    cwd: ROOT,
    stdio: 'inherit',
  });
  if (error !== undefined) throw error;
  return status === 0;
}

const failed = PROJECTS.filter((project) => !passes(project));
process.exitCode = failed.length === 0 ? 0 : 1;
