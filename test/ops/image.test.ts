/** The image of the Dockerfile: it contains what it needs, and sets the environment in which tests start processes. */
import { existsSync, globSync } from 'node:fs';
import { join, relative } from 'node:path';
import dockerignore from '@balena/dockerignore';
import { describe, expect, it } from '@jest/globals';
import { Copy, DockerfileParser, Env, From, type Instruction } from 'dockerfile-ast';
import { readImports } from '../support/runner/imports.ts';
import { FILLED, ownServices, readCompose, readText, ROOT } from './support/compose.ts';
import { IMAGE_ENV } from './support/container.ts';
import { CABINET_DIST } from '../../tools/scripts/cabinet/build.ts';
import { TAG_DIST } from '../../tools/scripts/tag/build.ts';

// Its types describe an ES module, but it is a CommonJS one: Node imports the function itself.
const ignore = dockerignore as unknown as typeof dockerignore.default;
const isShipped = ignore().add(readText('.dockerignore')).createFilter();

/** Commands that run in a container of the image: those of docker-compose.yml, and those that operators type. */
const COMMANDS = [
  ...ownServices(readCompose(FILLED)).map(([, { command = [] }]) => command[1] ?? ''),
  'tools/scripts/admin.ts',
];
/** Entries that they start by path: threads, and processes that decode a medium or compute a report. */
const STARTED = '{activities,output,providers,reports}/**/{*Thread,decoder,child}.ts';

const entries = [...new Set([...COMMANDS, ...globSync(STARTED, { cwd: ROOT })])];
const importsOf = await readImports(entries);
const found = entries.map((entry) => importsOf(entry, 'ever'));
const files = new Set(found.flatMap((imports) => [...imports.files]));
const packages = new Set(found.flatMap((imports) => [...imports.packages]));

describe('the files that .dockerignore lets into the image', () => {
  it('include every file that a command imports', () => {
    expect(files.size).toBeGreaterThan(150);
    expect([...files].filter((file) => !isShipped(file))).toEqual([]);
  });

  it.each(['package.json', 'package-lock.json', '.npmrc', 'migrations/0001_tenancy.sql', 'workflows/index.ts'])(
    'include %s, which commands read',
    (file) => {
      expect([existsSync(join(ROOT, file)), isShipped(file)]).toEqual([true, true]);
    },
  );

  it.each([
    '.env',
    '.git/config',
    'data/dev.json',
    'test/ops/image.test.ts',
    'tools/bench/pipeline.ts',
    'samples/a.mp4',
    'node_modules/koa/package.json',
    'tools/scripts/test.ts',
    'api/.env.local',
    'docker-compose.yml',
  ])('do not include %s', (file) => {
    expect(isShipped(file)).toBe(false);
  });

  it('need only packages that are installed without the development ones', () => {
    const { dependencies } = JSON.parse(readText('package.json')) as { dependencies: Record<string, string> };
    expect([...packages].filter((name) => !(name in dependencies))).toEqual([]);
    expect(packages).toContain('koa');
  });
});

/** `npm run image:try`, which starts every service from the image, checks what only a build can show. */
describe('Dockerfile', () => {
  const instructions = DockerfileParser.parse(readText('Dockerfile')).getInstructions();
  const final = instructions.slice(instructions.findLastIndex((one) => one instanceof From));
  const argumentsOf = (keyword: string): string[] =>
    final.filter((one) => one.getKeyword() === keyword).map((one) => one.getRawArgumentsContent() ?? '');
  const isOf = <T extends Instruction>(kind: new (...args: never[]) => T, list: readonly Instruction[]): T[] =>
    list.filter((one): one is T => one instanceof kind);

  it('sets the environment in which tests start processes', () => {
    const properties = isOf(Env, final).flatMap((env) => env.getProperties());
    expect(Object.fromEntries(properties.map((one) => [one.getName(), one.getValue()]))).toEqual(IMAGE_ENV);
  });

  it('runs as its own user, under an init that passes signals on', () => {
    expect(argumentsOf('USER')).toEqual(['10001:10001']);
    expect(argumentsOf('ENTRYPOINT')).toEqual(['["/usr/bin/tini", "--"]']);
    const [command = '[]'] = argumentsOf('CMD');
    expect(existsSync(join(ROOT, (JSON.parse(command) as string[])[1] ?? ''))).toBe(true);
  });

  it('has the folders of the volumes, owned by that user', () => {
    const install = argumentsOf('RUN').find((text) => text.includes('install -d --owner=attune')) ?? '';
    const mounted = ownServices(readCompose(FILLED)).flatMap(([, { volumes = [] }]) =>
      volumes.map((volume) => volume.split(':').find((part) => part.startsWith('/')) ?? volume),
    );
    expect(mounted.length).toBeGreaterThan(2);
    for (const folder of mounted) expect(install).toContain(` ${folder}`);
  });

  it('has the files of the built-in models where its processes look for them', () => {
    const places = isOf(Copy, final).map((copy) => copy.getArguments().at(-1)?.getValue() ?? '');
    for (const [name, folder] of Object.entries(IMAGE_ENV).filter(([key]) => /_DIRS?$/.test(key)))
      expect([name, places.some((place) => `${folder}/`.startsWith(`${place}/`))]).toEqual([
        name,
        name !== 'ATTUNE_DATA_DIR',
      ]);
  });

  it('has the bundles of the tag and the cabinet in the folders in which they are built and served', () => {
    const built = isOf(Copy, final)
      .filter((copy) => copy.getFlags().some((flag) => flag.getValue() === 'bundles'))
      .map((copy) => copy.getArguments().map((argument) => argument.getValue()));
    for (const folder of [TAG_DIST, CABINET_DIST].map((path) => relative(ROOT, path)))
      expect(built).toContainEqual([`/app/${folder}`, `./${folder}`]);
  });

  it('gives the scripts that fetch models every file that they import', async () => {
    const stages = stagesOf(instructions).slice(0, -1);
    const scripts = (stage: Instruction[]): string[] =>
      stage.flatMap(
        (one) => (one.getRawArgumentsContent() ?? '').match(/tools\/scripts\/engines\/install\/install\w+\.ts/g) ?? [],
      );
    const readFrom = await readImports(stages.flatMap(scripts));
    expect(stages.flatMap(scripts).length).toBeGreaterThan(4);
    for (const stage of stages) {
      const copied = isOf(Copy, stage).map((copy) => copy.getArguments()[0]?.getValue() ?? '');
      const missing = scripts(stage)
        .flatMap((script) => [...readFrom(script, 'ever').files])
        .filter((file) => !copied.some((path) => `${file}/`.startsWith(`${path}/`)));
      expect(missing).toEqual([]);
    }
  });

  it('installs Node of the major version that the tests run on', () => {
    const node = instructions
      .filter((one) => one.getKeyword() === 'ARG')
      .map((one) => one.getRawArgumentsContent() ?? '')
      .find((text) => text.startsWith('NODE_IMAGE='));
    expect(node).toMatch(new RegExp(`:${process.versions.node.split('.')[0]}-`));
  });
});

function stagesOf(instructions: readonly Instruction[]): Instruction[][] {
  const stages: Instruction[][] = [];
  for (const one of instructions) {
    if (one instanceof From) stages.push([]);
    stages.at(-1)?.push(one);
  }
  return stages;
}
