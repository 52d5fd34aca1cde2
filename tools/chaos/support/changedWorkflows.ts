/** The next version of three workflows: each does something more at its very beginning. */
import type { Release } from './release.ts';

/**
 * `patched`: changed correctly, so running workflows keep to their history. `careless`: changed as if none were
 * running.
 */
export type Change = 'patched' | 'careless';

const CHANGE_FILE = 'workflows/nextRelease.ts';
/** The names of their files. */
const WORKFLOWS: readonly string[] = ['item', 'retryDelivery', 'expandOrders'];

/** A command with which no recorded history begins, and which costs the server no task of its own. */
const MORE_WORK = `upsertMemo({ release: 'next' });`;

const BODIES: Record<Change, string> = {
  patched: `if (patched('next-release')) {
    ${MORE_WORK}
  }`,
  careless: `{
    ${MORE_WORK}
  }`,
};

/** Turns a release that equals the checkout into the next one; `writeChange` later switches its kind. */
export async function changeWorkflows(release: Release, change: Change): Promise<void> {
  await writeChange(release, change);
  for (const name of WORKFLOWS) {
    await release.change(
      `workflows/${name}.ts`,
      (text) =>
        `import { nextRelease } from './nextRelease.ts';\n${text.replace(/^(export async function .*\{)$/m, '$1\n  await nextRelease();')}`,
    );
  }
}

/** Replaces a careless change with a patched one, or the other way round. */
export async function writeChange(release: Release, change: Change): Promise<void> {
  const imports = change === 'patched' ? 'patched, upsertMemo' : 'upsertMemo';
  await release.write(
    CHANGE_FILE,
    `import { ${imports} } from '@temporalio/workflow';\n\nexport async function nextRelease(): Promise<void> {\n  ${BODIES[change]}\n}\n`,
  );
}
