/** The command prefix of a decoder. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
export const SETPRIV = '/usr/bin/setpriv';
export const SETPRIV_FLAGS = ['--pdeathsig', 'KILL', '--no-new-privs'];

/** The whole environment of a decoder. */
export const MINIMAL_ENVIRONMENT = { PATH: '/usr/bin:/bin', LC_ALL: 'C' };

/** Null if a lack of something, such as file handles, prevented the trial. */
let available: Promise<boolean | null> | undefined;

/**
 * Returns the words before a decoder's command that make the kernel kill it when this process dies, even by SIGKILL
 * (`prctl(PR_SET_PDEATHSIG)`, through util-linux's setpriv, which then execs, so the pid stays). It is tried until
 * the answer is certain, since busybox's setpriv lacks the flag; without it the list is empty and the decoder's own CPU
 * limit ends an orphan.
 */
export async function decoderPrefix(): Promise<string[]> {
  const current = (available ??= trySetpriv());
  const works = await current;
  if (works === null && available === current) available = undefined;
  return works === true ? [SETPRIV, ...SETPRIV_FLAGS] : [];
}

async function trySetpriv(): Promise<boolean | null> {
  try {
    await run(SETPRIV, [...SETPRIV_FLAGS, 'true'], { env: MINIMAL_ENVIRONMENT });
    return true;
  } catch (error) {
    return isLasting(error) ? false : null;
  }
}

/** Returns true if the program is missing, must not be run, or refused the flags with an exit status. */
function isLasting(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'ENOENT' || error.code === 'EACCES' || typeof error.code === 'number';
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
