/**
 * Generates src/content, src/analytics and src/cabinet from the OpenAPI documents in a folder. Started by
 * `npm run client:generate` of the repository, which writes the documents.
 *
 *   node generate.js <folder of content.json, analytics.json and cabinet.json>
 */
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '@hey-api/openapi-ts';

const SRC = join(import.meta.dirname, 'src');
const CLASSES = { content: 'AttuneContent', analytics: 'AttuneAnalytics', cabinet: 'AttuneCabinet' };
const HEADER = '// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.';
/** The runtime that comes with the generator is not written for `exactOptionalPropertyTypes`. */
const UNCHECKED = '// @ts-nocheck';

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: node generate.js <folder of the documents>');

await createClient(
  Object.entries(CLASSES).map(([name, containerName]) => ({
    input: join(folder, `${name}.json`),
    output: { path: join(SRC, name), header: HEADER, module: { extension: '.ts' } },
    plugins: [
      { name: '@hey-api/client-fetch', throwOnError: true },
      '@hey-api/typescript',
      { name: '@hey-api/sdk', operations: { strategy: 'single', containerName } },
    ],
    logs: { level: 'error' },
  })),
);

for (const name of Object.keys(CLASSES)) {
  for (const part of ['core', 'client']) {
    for (const file of await readdir(join(SRC, name, part))) {
      const path = join(SRC, name, part, file);
      await writeFile(path, `${UNCHECKED}\n${await readFile(path, 'utf8')}`);
    }
  }
}
