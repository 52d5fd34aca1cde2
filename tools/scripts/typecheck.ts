/** `npm run typecheck`: checks every TypeScript project, also after one that fails, so that a run names all faults. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
const PROJECTS = ['.', 'clients/tag', 'cabinet'];

/** npm puts the programs of `node_modules` on the path. */
const passes = (project: string): boolean =>
  spawnSync('tsc', ['--noEmit', '-p', project], { cwd: ROOT, stdio: 'inherit' }).status === 0;

const failed = PROJECTS.filter((project) => !passes(project));
process.exitCode = failed.length === 0 ? 0 : 1;
