import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { resolveNudityModel } from '../../../../../tools/scripts/engines/models/nudityModel.ts';

let cacheDir: string;
beforeAll(async () => {
  cacheDir = await mkdtemp(join(tmpdir(), 'attune-nudity-cache-'));
});
afterAll(() => rm(cacheDir, { recursive: true }));

describe('resolveNudityModel', () => {
  it('uses the setting as it is', async () => {
    const env = { NUDITY_MODEL_DIR: ' /opt/nudity ' };
    expect(await resolveNudityModel({ env, report: () => {}, cacheDir })).toBe('/opt/nudity');
  });

  it('continues without it if it cannot be fetched, and says what that means and what helps', async () => {
    const lines: string[] = [];
    const context = { env: { PATH: '/nowhere' }, report: (line: string) => lines.push(line), cacheDir };
    expect(await resolveNudityModel(context)).toBeNull();
    expect(lines).toEqual([
      'nudity: pictures will not be judged (no npm on the PATH): set NUDITY_MODEL_DIR to a folder with the files of nsfwjs 4.4.0 that are named in providers/builtin/nudity/classifierFiles.ts',
    ]);
  });
});
