import { expect, it } from '@jest/globals';

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOver } from '../../../db/visits/over.ts';
import { VISIT_PAUSE_MS } from '../../../domain/visits/rules.ts';

const ROOT = join(import.meta.dirname, '../../..');

it('the pause that ends a visit is written once, for rules, statements and tag', async () => {
  expect(VISIT_PAUSE_MS).toBe(1_800_000);
  expect(isOver('v')).toBe(`v.last_hit_at < now() - interval '1800000 milliseconds'`);
  const written: string[] = [];
  for await (const file of glob(['db/**/*.ts', 'domain/visits/*.ts', 'ingest/**/*.ts', 'tag/*.ts', 'tag/record/*.ts'], {
    cwd: ROOT,
  })) {
    const text = await readFile(join(ROOT, file), 'utf8');
    if (/'30 minutes'|1_?800_?000|30 \* MINUTE/.test(text)) written.push(file);
  }
  expect(written).toEqual(['domain/visits/rules.ts']);
});
