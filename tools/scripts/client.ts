/**
 * `npm run client:generate`: generates the TypeScript client (clients/typescript) from the descriptions in the code.
 * Needs no running server. The generator is a development dependency of the client's own package, because it needs a
 * TypeScript of its own; it is installed on first use.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeApis } from './client/documents.ts';
import { limitsModule } from './client/limitsModule.ts';
import { CLIENT_DIR, currentRecords, RECORD_FILE } from './client/record.ts';

const HEADER = '// Generated from the OpenAPI description by `npm run client:generate`. Do not edit.';

async function run(command: string, args: string[]): Promise<void> {
  const child = spawn(command, args, { cwd: CLIENT_DIR, stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`);
}

async function installGenerator(): Promise<void> {
  const isThere = await access(join(CLIENT_DIR, 'node_modules', '@hey-api', 'openapi-ts')).then(
    () => true,
    () => false,
  );
  if (!isThere) await run('npm', ['ci', '--no-audit', '--no-fund']);
}

await installGenerator();
const folder = await mkdtemp(join(tmpdir(), 'attune-openapi-'));
const documents = Object.entries(describeApis());
try {
  for (const [name, document] of documents) await writeFile(join(folder, `${name}.json`), document);
  await run(process.execPath, [join(CLIENT_DIR, 'generate.js'), folder]);
  for (const [name, document] of documents)
    await writeFile(join(CLIENT_DIR, 'src', name, 'limits.gen.ts'), limitsModule(document, HEADER));
  await writeFile(RECORD_FILE, `${JSON.stringify(await currentRecords(), null, 2)}\n`);
} finally {
  await rm(folder, { recursive: true });
}
