/** ffmpeg, for extracting frames and sound. */
import { fileURLToPath } from 'node:url';
import { PROGRAM_LIMIT_MS, run } from '../fetch/process.ts';
import { firstFound, isExecutable, onPath, settingSource, type EngineContext, type Source } from '../fetch/sources.ts';
import { wheelSource, type Wheel } from '../fetch/wheel.ts';

/** Before 8.1.3, a playlist can make ffmpeg bypass its list of allowed protocols. */
const SAFE_SINCE = [8, 1, 3] as const;

const WHEEL: Wheel = {
  name: 'imageio-ffmpeg',
  version: '0.8.1',
  files: {
    'linux-x64': {
      sha256: '050d6850601c3b3890bd2b28306f3b842b3daea390a561101174375a1c460bda',
      megabytes: 68,
      program: 'imageio_ffmpeg/binaries/ffmpeg-linux-x86_64-v9.0.2',
    },
    'linux-arm64': {
      sha256: 'fad3176f859b25869e60a8ed79957d4e3ed74a97a95e5f0cdcb91455f6c6d00e',
      megabytes: 61,
      program: 'imageio_ffmpeg/binaries/ffmpeg-linux-aarch64-v9.0.2',
    },
    'darwin-arm64': {
      sha256: '5636d691e36e5274b13fe38182b1f627b2e35dcecc63944012c2470f9484fc45',
      megabytes: 23,
      program: 'imageio_ffmpeg/binaries/ffmpeg-macos-aarch64-v9.0',
    },
  },
};

const fromPackage: Source = {
  name: 'ffmpeg-static',
  async find() {
    const path = fileURLToPath(new URL('../../../../node_modules/ffmpeg-static/ffmpeg', import.meta.url));
    return (await isExecutable(path)) ? { path } : { reason: 'not installed' };
  },
};

/**
 * Returns true when `version` is at least `minimum`, part by part; the name of a nightly build has no numbers and
 * counts as new.
 */
export function isAtLeast(version: string, minimum: readonly number[]): boolean {
  const match = /^n?(\d+(?:\.\d+)*)/.exec(version);
  if (match === null) return true;
  const parts = (match[1] ?? '').split('.').map(Number);
  for (const [index, least] of minimum.entries()) {
    const part = parts[index] ?? 0;
    if (part !== least) return part > least;
  }
  return true;
}

/**
 * Last, because a distribution's ffmpeg is often old. It is safe all the same: the product's calls never open a
 * playlist.
 */
const fromPath: Source = {
  name: 'PATH',
  async find({ env, report }) {
    const path = await onPath('ffmpeg', env);
    if (path === null) return { reason: 'not there' };
    const { stdout, stderr } = await run({ command: path, args: ['-version'] }, PROGRAM_LIMIT_MS);
    const version = /^ffmpeg version (\S+)/.exec(stdout)?.[1];
    if (version === undefined) return { reason: `${path} does not run: ${stderr.trim().split('\n')[0] ?? ''}` };
    if (!isAtLeast(version, SAFE_SINCE))
      report(
        `ffmpeg: ${path} is ${version}, older than ${SAFE_SINCE.join('.')}: better set FFMPEG_PATH to a newer one`,
      );
    return { path };
  },
};

const FIX = 'install ffmpeg and set FFMPEG_PATH to its absolute path';

export function resolveFfmpeg(context: EngineContext): Promise<string> {
  return firstFound('ffmpeg', [settingSource('FFMPEG_PATH'), fromPackage, wheelSource(WHEEL), fromPath], FIX, context);
}
