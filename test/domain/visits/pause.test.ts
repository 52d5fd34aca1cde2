import { expect, it } from '@jest/globals';

import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isOver } from '../../../db/visits/over.ts';
import { VISIT_PAUSE_MS } from '../../../domain/visits/rules.ts';

/** Half an hour is also a limit in the ranges of a visit's length, and a wait between two attempts of a webhook. */
const OTHERS = ['reports/registry/dimensions/visit.ts', 'domain/webhookSchedule.ts'];
const ROOT = join(import.meta.dirname, '../../..');

it('the pause that ends a visit is written once, for rules, statements and tag', async () => {
  expect(VISIT_PAUSE_MS).toBe(1_800_000);
  expect(isOver('v')).toBe(`v.last_hit_at < now() - interval '1800000 milliseconds'`);
  const written: string[] = [];
  for await (const file of glob(['{api,db,domain,ingest,reports}/**/*.ts', 'tag/*.ts', 'tag/record/*.ts'], {
    cwd: ROOT,
  })) {
    const text = await readFile(join(ROOT, file), 'utf8');
    if (/'30 minutes'|\b1_?800(_?000)?\b|30 \* MINUTE/.test(text) && !OTHERS.includes(file)) written.push(file);
  }
  expect(written).toEqual(['domain/visits/rules.ts']);
});
