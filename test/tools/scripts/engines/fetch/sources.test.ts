import { describe, expect, it } from '@jest/globals';
import { EngineError } from '../../../../../tools/scripts/engines/fetch/engineError.ts';
import { isAtLeast } from '../../../../../tools/scripts/engines/programs/ffmpegBinary.ts';
import {
  firstFound,
  onPath,
  settingSource,
  type EngineContext,
  type Found,
} from '../../../../../tools/scripts/engines/fetch/sources.ts';

const context = (env: Record<string, string> = {}): EngineContext => ({ env, report: () => {}, cacheDir: '/nowhere' });
const source = (name: string, found: Found) => ({ name, find: async () => found });

describe('firstFound', () => {
  it('uses the first source that has the program', async () => {
    const sources = [
      source('one', { reason: 'no' }),
      source('two', { path: '/two' }),
      source('three', { path: '/three' }),
    ];
    expect(await firstFound('tool', sources, 'install it', context())).toBe('/two');
  });

  it('names every reason and the fix in one line', async () => {
    const sources = [source('PATH', { reason: 'not there' }), source('download', { reason: 'no line' })];
    const failure = firstFound('tool', sources, 'set TOOL', context());
    await expect(failure).rejects.toThrow(
      new EngineError('tool was not found (PATH: not there; download: no line): set TOOL'),
    );
  });
});

describe('settingSource', () => {
  it('accepts a program, ignores an empty setting, and rejects a wrong one with a message', async () => {
    const setting = settingSource('TOOL');
    expect(await setting.find(context({ TOOL: '/bin/sh' }))).toEqual({ path: '/bin/sh' });
    expect(await setting.find(context({ TOOL: ' ' }))).toEqual({ reason: 'not set' });
    await expect(setting.find(context({ TOOL: '/nowhere/tool' }))).rejects.toThrow('TOOL=/nowhere/tool');
    await expect(setting.find(context({ TOOL: 'sh' }))).rejects.toThrow('absolute path');
  });
});

describe('onPath', () => {
  it('finds executables in absolute folders only', async () => {
    expect(await onPath('sh', { PATH: '.:/nowhere:/bin' })).toBe('/bin/sh');
    expect(await onPath('sh', { PATH: 'bin' })).toBeNull();
    expect(await onPath('sh', {})).toBeNull();
  });
});

describe('isAtLeast', () => {
  it.each([
    ['8.1.3', true],
    ['8.1.2', false],
    ['9.0', true],
    ['8', false],
    ['n8.2-abc', true],
    ['5.1.6-0+deb12u1', false],
    ['N-118000-gabc', true],
  ])('%s → %s', (version, recent) => {
    expect(isAtLeast(version, [8, 1, 3])).toBe(recent);
  });
});
