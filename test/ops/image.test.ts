import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { FILLED, ownServices, readCompose, readText, ROOT } from './support/compose.ts';
import { IMAGE_ENV } from './support/container.ts';

const dockerfile = readText('Dockerfile')
  .replaceAll(/^ *#.*\n/gm, '')
  .replaceAll(/\\\n\s*/g, '');
const lines = dockerfile.split('\n').filter((line) => line !== '');
const finalStage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
const ignore = readText('.dockerignore')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('#'));

/** Commands that run in a container of the image: those of docker-compose.yml, and those that operators type. */
const ENTRIES = [
  ...ownServices(readCompose(FILLED)).map(([, { command = [] }]) => command[1] ?? ''),
  'scripts/admin.ts',
];

/** Implements the few forms that .dockerignore uses: the last matching line decides. */
function isShipped(path: string): boolean {
  let shipped = true;
  for (const line of ignore) {
    const pattern = line.replace(/^!/, '');
    const matches =
      pattern === '*' ||
      path === pattern ||
      path.startsWith(`${pattern}/`) ||
      (pattern.startsWith('**/') &&
        new RegExp(`(^|/)${pattern.slice(3).replaceAll('.', '\\.').replaceAll('*', '[^/]*')}$`).test(path));
    if (matches) shipped = line.startsWith('!');
  }
  return shipped;
}

interface Closure {
  files: Set<string>;
  packages: Set<string>;
}

/** Returns everything that the entries import, including dynamic imports and threads. */
function closureOf(entries: readonly string[]): Closure {
  const files = new Set(entries);
  const packages = new Set<string>();
  for (const file of files) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    for (const [, path = ''] of text.matchAll(/['"](\.{1,2}\/[\w./-]+\.ts)['"]/g))
      files.add(relative(ROOT, normalize(join(ROOT, dirname(file), path))));
    for (const [, name = ''] of text.matchAll(
      /^(?:import|export) (?!type )[^;]*?from '((?:@[\w-]+\/)?[a-z][\w.-]*)[^']*'/gm,
    ))
      packages.add(name);
  }
  return { files, packages };
}

describe('what .dockerignore lets into the image', () => {
  const { files, packages } = closureOf(ENTRIES);

  it('is every file that a command imports', () => {
    expect(files.size).toBeGreaterThan(150);
    const missing = [...files].filter((file) => !existsSync(join(ROOT, file)) || !isShipped(file));
    expect(missing).toEqual([]);
  });

  it('is what commands read besides', () => {
    for (const file of [
      'package.json',
      'package-lock.json',
      '.npmrc',
      'migrations/0001_tenancy.sql',
      'workflows/index.ts',
    ])
      expect(isShipped(file)).toBe(true);
  });

  it('is nothing else: no tests, no data, no settings', () => {
    for (const file of [
      '.env',
      '.git/config',
      'data/dev.json',
      'test/ops/image.test.ts',
      'bench/pipeline.ts',
      'samples/a.mp4',
      'node_modules/koa/package.json',
      'scripts/test.ts',
      'api/.env.local',
      'docker-compose.yml',
    ]) {
      expect([file, isShipped(file)]).toEqual([file, false]);
    }
  });

  it('needs only packages that are installed without the development ones', () => {
    const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> };
    const builtIn = (name: string): boolean => name === 'node' || name.startsWith('node:');
    expect([...packages].filter((name) => !builtIn(name) && !(name in dependencies))).toEqual([]);
    expect(packages.has('koa')).toBe(true);
  });
});

describe('Dockerfile', () => {
  it('sets what the tests of the processes start from', () => {
    const text = finalStage.find((line) => line.startsWith('ENV ')) ?? '';
    expect(Object.fromEntries([...text.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name, value]))).toEqual(
      IMAGE_ENV,
    );
  });

  it('runs as a user of its own, under an init that passes signals on', () => {
    expect(finalStage.find((line) => line.startsWith('USER '))).toBe('USER 10001:10001');
    expect(finalStage).toContain('ENTRYPOINT ["/usr/bin/tini", "--"]');
    const command = JSON.parse(finalStage.find((line) => line.startsWith('CMD '))?.slice(4) ?? '[]') as string[];
    expect(existsSync(join(ROOT, command[1] ?? ''))).toBe(true);
  });

  it('has the folders of the volumes, owned by that user', () => {
    const install = finalStage.find((line) => line.includes('install -d --owner=attune')) ?? '';
    const mounted = ownServices(readCompose(FILLED)).flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => /(\/var\/lib\/attune\/\w+)/.exec(volume)?.[1] ?? volume),
    );
    expect(mounted.length).toBeGreaterThan(2);
    for (const folder of mounted) expect(install).toContain(` ${folder}`);
  });

  it('takes no secret as an argument, downloads nothing by itself, and keeps no package lists', () => {
    expect(lines.filter((line) => /^(ARG|ENV) .*(SECRET|PASSWORD|KEY|TOKEN)/i.test(line))).toEqual([]);
    expect(lines.filter((line) => /^ADD |curl|wget/.test(line))).toEqual([]);
    for (const line of finalStage.filter((text) => text.includes('apt-get install'))) {
      expect(line).toContain('--no-install-recommends');
      expect(line).toContain('rm -rf /var/lib/apt/lists/*');
    }
  });

  it('takes the extensions of DuckDB from packages where told so', () => {
    expect(lines).toContain('ARG DUCKDB_EXTENSIONS_FROM=duckdb');
    expect(readText('test/ops/image/build.sh')).toContain('--build-arg DUCKDB_EXTENSIONS_FROM=pypi');
    expect(lines.join('\n')).toContain('installExtensions.ts /extensions "$DUCKDB_EXTENSIONS_FROM"');
  });

  it('has the files of the built-in models where its processes look for them', () => {
    const text = lines.join('\n');
    expect(text).toContain('installSentenceEncoder.ts /sentence-encoder');
    expect(finalStage).toContain(`COPY --from=encoder /sentence-encoder ${IMAGE_ENV.SENTENCE_ENCODER_DIR}`);
    expect(text).toContain('installNudityModel.ts /nudity-model');
    expect(finalStage).toContain(`COPY --from=encoder /nudity-model ${IMAGE_ENV.NUDITY_MODEL_DIR}`);
    expect(text).toContain('installVoiceModel.ts /voice-model');
    expect(finalStage).toContain(`COPY --from=encoder /voice-model ${IMAGE_ENV.VOICE_MODEL_DIR}`);
  });

  it('installs Node of the major version that the tests run on', () => {
    expect(/^ARG NODE_IMAGE=node:(\d+)-/m.exec(dockerfile)?.[1]).toBe(process.versions.node.split('.')[0]);
  });
});
