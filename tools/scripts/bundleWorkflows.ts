/**
 * `node tools/scripts/bundleWorkflows.ts FILE` writes the workflows' code into one file, for WORKFLOW_BUNDLE. The file
 * holds the current workflows, so each release has to make it again.
 */
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DefaultLogger } from '@temporalio/worker';
import { bundleWorkflows } from '../../platform/process/temporal/workflowBundle.ts';

const [path] = process.argv.slice(2);
if (path === undefined) {
  process.stderr.write('usage: node tools/scripts/bundleWorkflows.ts FILE\n');
  process.exitCode = 1;
} else {
  const code = await bundleWorkflows(join(import.meta.dirname, '../../workflows/index.ts'), new DefaultLogger('ERROR'));
  // A worker that starts meanwhile must not read a partial file.
  await writeFile(`${path}.new`, code);
  await rename(`${path}.new`, path);
}
