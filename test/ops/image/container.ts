/**
 * Processes inside a built image, without a daemon: buildah runs them in a chroot, on the machine's own network.
 */
import {
  run,
  startProcess,
  type ManagedProcess,
  type RunResult,
} from '../../../tools/scripts/engines/fetch/process.ts';

const STEP_LIMIT_MS = 120_000;
const INIT = ['/usr/bin/tini', '--'];

export interface Contained {
  /** The surrounding buildah process: it exits with the code of the command. */
  process: ManagedProcess;
  /** Requests the command to stop as a container engine does: by a signal to its init. */
  terminate(): Promise<void>;
}

export interface Image {
  /** Starts a long-running command, under the image's init and its user. */
  start(command: readonly string[], env: Record<string, string>, onLine: (line: string) => void): Promise<Contained>;
  /** Runs a command to its end. */
  run(command: readonly string[], env: Record<string, string>): Promise<RunResult>;
  remove(): Promise<void>;
}

/**
 * @param volumes folders of this machine by their paths inside
 * @throws with buildah's message when there is no such image
 */
export async function openImage(name: string, volumes: Record<string, string>): Promise<Image> {
  const container = (await buildah(['from', '--pull-never', name])).trim();
  const mounts = Object.entries(volumes).flatMap(([inside, outside]) => ['--volume', `${outside}:${inside}`]);
  const argumentsOf = (command: readonly string[], env: Record<string, string>): string[] => [
    'run',
    '--isolation',
    'chroot',
    '--network',
    'host',
    ...mounts,
    ...Object.entries(env).flatMap(([setting, value]) => ['--env', `${setting}=${value}`]),
    container,
    '--',
    ...command,
  ];
  return {
    async start(command, env, onLine) {
      const child = await startProcess({ command: 'buildah', args: argumentsOf([...INIT, ...command], env), onLine });
      return { process: child, terminate: () => terminateInit(child.pid) };
    },
    run: (command, env) => run({ command: 'buildah', args: argumentsOf(command, env) }, STEP_LIMIT_MS),
    remove: async () => void (await buildah(['rm', container])),
  };
}

async function buildah(args: string[]): Promise<string> {
  const { code, stdout, stderr } = await run({ command: 'buildah', args }, STEP_LIMIT_MS);
  if (code !== 0) throw new Error(`buildah ${args.join(' ')}: ${stderr.trim()}`);
  return stdout;
}

/** @throws when no init runs below the process */
async function terminateInit(pid: number): Promise<void> {
  let family = [pid];
  while (family.length > 0) {
    const { stdout } = await run(
      { command: 'ps', args: ['-o', 'pid=,comm=', '--ppid', family.join(',')] },
      STEP_LIMIT_MS,
    );
    const children = stdout
      .trim()
      .split('\n')
      .filter(Boolean)
      .map((line) => line.trim().split(/\s+/));
    const [init] = children.find(([, name]) => name === 'tini') ?? [];
    if (init !== undefined) return void process.kill(Number(init), 'SIGTERM');
    family = children.map(([child]) => Number(child));
  }
  throw new Error(`no init runs below the process ${pid}`);
}
