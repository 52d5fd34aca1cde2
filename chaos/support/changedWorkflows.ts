/** The next version of three workflows: each does something more at its very beginning. */
import type { Release } from './release.ts';

/** `patched`: as it must be done; workflows under way keep to their history. `careless`: as if none were under way. */
export type Change = 'patched' | 'careless';

const CHANGE_FILE = 'workflows/nextRelease.ts';
const WORKFLOWS: readonly string[] = ['item', 'delivery', 'expandOrders'];

/** A command that no recorded history begins with, and that costs the server no task of its own. */
const MORE_WORK = `upsertMemo({ release: 'next' });`;

const BODIES: Record<Change, string> = {
  patched: `if (patched('next-release')) {
    ${MORE_WORK}
  }`,
  careless: `{
    ${MORE_WORK}
  }`,
};

/** Makes a release that was as the checkout is into the next one; `writeChange` then says of which kind. */
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

/** Mends a careless change, or the other way round. */
export async function writeChange(release: Release, change: Change): Promise<void> {
  const imports = change === 'patched' ? 'patched, upsertMemo' : 'upsertMemo';
  await release.write(
    CHANGE_FILE,
    `import { ${imports} } from '@temporalio/workflow';\n\nexport async function nextRelease(): Promise<void> {\n  ${BODIES[change]}\n}\n`,
  );
}
