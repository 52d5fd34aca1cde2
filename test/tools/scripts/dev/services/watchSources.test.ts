import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { watchSources } from '../../../../../tools/scripts/dev/services/watchSources.ts';

describe('watchSources', () => {
  let root: string;
  let close: () => void;
  let bursts: string[][];
  let next: () => void;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'attune-watch-'));
    await mkdir(join(root, 'api/content'), { recursive: true });
    await mkdir(join(root, 'db'));
    await writeFile(join(root, 'config.ts'), '');
    bursts = [];
    next = () => {};
    close = watchSources(root, ['api', 'db', 'config.ts', 'not-there'], (saved) => {
      bursts.push([...saved].toSorted());
      next();
    });
  });

  afterEach(async () => {
    close();
    await rm(root, { recursive: true, force: true });
  });

  /** Returns the sources of the next burst that `act` causes. */
  async function burst(act: () => Promise<void>): Promise<string[]> {
    const told = new Promise<void>((resolve) => (next = resolve));
    await act();
    await told;
    return bursts.at(-1) ?? [];
  }

  it('notices a file deep in a folder', async () => {
    expect(await burst(() => writeFile(join(root, 'api/content/items.ts'), 'x'))).toEqual(['api']);
  });

  // Written synchronously: on a busy machine awaited writes may have a quiet moment between them.
  it('reports a burst of saves only once', async () => {
    const saved = await burst(async () => {
      writeFileSync(join(root, 'api/server.ts'), 'x');
      writeFileSync(join(root, 'db/pool.ts'), 'x');
      writeFileSync(join(root, 'api/server.ts'), 'y');
    });
    expect(saved).toEqual(['api', 'db']);
    expect(bursts).toHaveLength(1);
  });

  it('notices a file that an editor replaces, more than once', async () => {
    for (const text of ['a', 'b']) {
      const saved = await burst(async () => {
        await writeFile(join(root, 'config.ts.tmp'), text);
        await rename(join(root, 'config.ts.tmp'), join(root, 'config.ts'));
      });
      expect(saved).toEqual(['config.ts']);
    }
  });

  it('ignores files that are not sources', async () => {
    const saved = await burst(async () => {
      await writeFile(join(root, 'api/notes.md'), 'x');
      await writeFile(join(root, 'other.ts'), 'x');
      await writeFile(join(root, 'db/pool.ts'), 'x');
    });
    expect(saved).toEqual(['db']);
    expect(bursts).toHaveLength(1);
  });
});
