/** A release of the product in its own folder, which can be changed without touching the checkout. */
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../scripts/engines/fetch/process.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** Everything else is copied, so that a new folder is not forgotten; packages are linked. */
const LEFT_OUT = new Set(['.git', 'coverage', 'data', 'dist', 'node_modules', 'test']);
const BUNDLE_LIMIT_MS = 600_000;

export interface Release {
  /** The folder that `npm start` would run in. */
  root: string;
  /** Writes a file of the release, replacing an existing one. */
  write(path: string, text: string): Promise<void>;
  /**
   * Value for WORKFLOW_BUNDLE: {@link bundle} builds the release's workflows into this file, as the build of an image
   * does.
   */
  workflowBundle: string;
  bundle(): Promise<void>;
  /** Changes a file of the release. @throws when the edit changes nothing */
  change(path: string, edit: (text: string) => string): Promise<void>;
  remove(): Promise<void>;
}

export async function makeRelease(): Promise<Release> {
  const root = await mkdtemp(join(tmpdir(), 'attune-release-'));
  const parts = (await readdir(ROOT)).filter((name) => !LEFT_OUT.has(name));
  await Promise.all(parts.map((part) => cp(join(ROOT, part), join(root, part), { recursive: true })));
  await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const workflowBundle = join(root, 'workflows.js');
  return {
    root,
    workflowBundle,
    async bundle() {
      const args = [
        '--disable-warning=ExperimentalWarning',
        join(root, 'tools/scripts/bundleWorkflows.ts'),
        workflowBundle,
      ];
      const { code, stderr } = await run({ command: process.execPath, args }, BUNDLE_LIMIT_MS);
      if (code !== 0) throw new Error(`the workflows cannot be bundled: ${stderr.trim()}`);
    },
    write: (path, text) => writeFile(join(root, path), text),
    async change(path, edit) {
      const before = await readFile(join(root, path), 'utf8');
      const after = edit(before);
      if (after === before) throw new Error(`the change of ${path} changes nothing`);
      await writeFile(join(root, path), after);
    },
    remove: () => rm(root, { recursive: true, force: true }),
  };
}
