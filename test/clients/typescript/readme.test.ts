/** The blocks of the README, in order, compiled against the built package and run. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTestToken } from '../../api/support/testApi.ts';
import { createTestSite } from '../../api/support/testSite.ts';
import { eventually } from '../../support/eventually.ts';
import { stageOutput } from '../../output/support/outputStage.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = join(ROOT, 'clients/typescript');
const run = promisify(execFile);
const stage = stageOutput({ deadlineMs: 10_000 });
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'attune-client-'));
  const built = join(folder, 'node_modules/@attune/client');
  await mkdir(built, { recursive: true });
  await tsc('--project', PACKAGE, '--outDir', join(built, 'dist'));
  await writeFile(join(built, 'package.json'), await readFile(join(PACKAGE, 'package.json')));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function tsc(...args: readonly string[]): Promise<void> {
  await run(join(ROOT, 'node_modules/.bin/tsc'), args).catch((error: { stdout?: string }) => {
    throw new Error(error.stdout ?? String(error));
  });
}

it('the example of the README runs unchanged', async () => {
  await stage.addItems(
    Array.from({ length: 15 }, (_, n) => ({ id: `lesson-${n}`, title: `Урок ${n} о трамваях`, type: 'text' as const })),
  );
  await stage.addItems([{ id: 'lesson-42', title: 'Урок 42', type: 'text' }]);
  // Selection loads a project's words at the first search; until then nothing is completed.
  await eventually(async () => {
    const { body } = await stage.call('POST', '/search/suggest', { query: 'уро' });
    return body.suggestions.length > 0;
  }, 'the words of the project');
  const { api, project } = stage;
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8');
  const code = [...readme.matchAll(/```ts\n(.*?)```/gs)]
    .map(([, block]) => block ?? '')
    .join('\n')
    .replaceAll('https://attune.example.com/content/api/v1', api.content)
    .replaceAll('https://attune.example.com/analytics/api/v1', api.analytics)
    .replaceAll('https://attune.example.com/cabinet/api', api.cabinet);
  await writeFile(join(folder, 'readme.ts'), code);
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: {
        strict: true,
        target: 'es2022',
        module: 'nodenext',
        skipLibCheck: true,
        types: ['node'],
        typeRoots: [join(ROOT, 'node_modules/@types')],
      },
      files: ['readme.ts'],
    }),
  );
  await tsc('--project', folder);
  const { stdout, stderr } = await run(process.execPath, [join(folder, 'readme.js')], {
    env: {
      PATH: process.env['PATH'],
      ATTUNE_KEY: project.key,
      ATTUNE_SITE_KEY: (await createTestSite(api.pool)).key,
      ATTUNE_TOKEN: await createTestToken(api.pool),
    },
  });
  expect(stdout).toMatch(/^queued undefined\n/);
  expect(stdout.match(/^Урок \d+ о трамваях (similar|new)$/gm)).toHaveLength(6);
  expect(stdout).toContain("{ value: 16, relation: 'eq' }");
  expect(stdout.match(/^Урок \d+.* \[/gm)).toHaveLength(16);
  expect(stdout).toMatch(/\n\[\s+'урок/i);
  expect(stderr).toBe('order 0: unknown_visitor\n');
});
