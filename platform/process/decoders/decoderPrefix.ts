/** The command prefix of a decoder. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const SETPRIV = '/usr/bin/setpriv';
export const SETPRIV_FLAGS = ['--pdeathsig', 'KILL', '--no-new-privs'];

/** The whole environment of a decoder. */
export const MINIMAL_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

let available: Promise<boolean> | undefined;

/**
 * Returns the words before a decoder's command that make the kernel kill it when this process dies, even by SIGKILL
 * (`prctl(PR_SET_PDEATHSIG)`, through util-linux's setpriv, which then execs, so the pid stays). It is tried once,
 * since busybox's setpriv lacks the flag; without it the list is empty and the decoder's own CPU limit ends an orphan.
 */
export async function decoderPrefix(): Promise<string[]> {
  available ??= run(SETPRIV, [...SETPRIV_FLAGS, 'true'], { env: MINIMAL_ENVIRONMENT }).then(
    () => true,
    () => false,
  );
  return (await available) ? [SETPRIV, ...SETPRIV_FLAGS] : [];
}

export const PRLIMIT = '/usr/bin/prlimit';

/** Returns true if the program that limits memory exists; it is part of util-linux too. */
export async function limitsMemory(program = PRLIMIT): Promise<boolean> {
  return await access(program, constants.X_OK).then(
    () => true,
    () => false,
  );
}

/**
 * Returns the words that limit the memory to which a program may write (`RLIMIT_DATA`; its further allocations fail).
 * The list is empty where nothing can limit it. `createDecoder` warns of that, because a decoder's own warnings are not
 * logged.
 */
export async function memoryPrefix(bytes: number | undefined): Promise<string[]> {
  if (bytes === undefined) return [];
  return (await limitsMemory()) ? [PRLIMIT, `--data=${bytes}`] : [];
}
