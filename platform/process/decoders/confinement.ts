/**
 * Isolates a decoder of untrusted files from this process's secrets, the other tenants' files and the network, in case
 * a bug of the decoder runs code of the file's author. Each layer is a program of util-linux before the command. Which
 * of them work depends on the machine, so the strongest set that passes a trial is used.
 */
import { existsSync, realpathSync, statSync } from 'node:fs';
import { isDiskUnavailable } from '../../disk/diskFaults.ts';
import { SETPRIV, SETPRIV_FLAGS } from './decoderPrefix.ts';
import { seccompFile } from './seccompFilter.ts';

export interface Confinement {
  /** The words before the command. */
  prefix: readonly string[];
  /** The user who has to own the working files; null: they stay with this process's user. */
  owner: number | null;
}

/**
 * `namespaces`: no network, no other process visible. `user`: not this process's user. `files`: Landlock and seccomp.
 */
export type Layer = 'namespaces' | 'user' | 'files';

/** The paths that a confined program may access. Those that do not exist are left out. */
export interface Access {
  reads: readonly string[];
  writes: readonly string[];
}

const UNSHARE = '/usr/bin/unshare';
const NAMESPACES = ['--net', '--ipc', '--pid', '--fork', '--kill-child', '--mount-proc'];
/** Below the numbers that systemd assigns (61184–65519) and above those of people and packages, so nobody has it. */
const DECODER_USER = 61_099;
const AS_DECODER = [
  '--reuid',
  String(DECODER_USER),
  '--regid',
  String(DECODER_USER),
  '--clear-groups',
  '--inh-caps',
  '-all',
  '--bounding-set',
  '-all',
];

const SYSTEM = ['/usr', '/bin', '/lib', '/lib64', '/etc/ld.so.cache', '/etc/ssl', '/etc/alternatives', '/dev/urandom'];
const READ_FILE = 'read-file,execute';
const READ = 'read-file,read-dir,execute';
const WRITE = 'read-file,read-dir,write-file,truncate,make-reg,remove-file';

/** Every set of layers, the strongest first; the last is the bare launcher. */
const SETS: readonly (readonly Layer[])[] = [
  ['namespaces', 'user', 'files'],
  ['namespaces', 'user'],
  ['namespaces', 'files'],
  ['namespaces'],
  ['user', 'files'],
  ['user'],
  ['files'],
  [],
];

/** A trial ended for a reason other than its layers: it took too long, was killed, or lacked something. */
export class InconclusiveTrialError extends Error {
  override readonly name = 'InconclusiveTrialError';
}

/** Codes of errors that mean a lack of processes or memory at that moment. */
const SHORTAGES: ReadonlySet<unknown> = new Set(['EAGAIN', 'ENOMEM']);

function isInconclusive(error: unknown): boolean {
  if (error instanceof InconclusiveTrialError || isDiskUnavailable(error)) return true;
  return error instanceof Error && 'code' in error && SHORTAGES.has(error.code);
}

/**
 * Returns the strongest layers under which `trial` succeeds. Null when they are unknown: a trial was inconclusive, and
 * must not lead to weaker layers than the machine allows; or every trial failed, even the one without layers.
 * @param trial runs something realistic; rejects when it did not work
 * @param canChangeOwner true when the working files may be given to another user, which only root can do
 */
export async function strongestLayers(
  trial: (layers: readonly Layer[]) => Promise<unknown>,
  canChangeOwner = process.getuid?.() === 0,
): Promise<readonly Layer[] | null> {
  for (const layers of SETS.filter((set) => canChangeOwner || !set.includes('user'))) {
    const outcome = await trial(layers).then(
      () => 'works',
      (error: unknown) => (isInconclusive(error) ? 'inconclusive' : 'refused'),
    );
    if (outcome === 'works') return layers;
    if (outcome === 'inconclusive') return null;
  }
  return null;
}

type FoundLayers = Promise<readonly Layer[] | null>;

/**
 * Returns a function that runs its argument only once, even for simultaneous callers, and again after an inconclusive
 * attempt (null). The argument finds the layers, for example by {@link strongestLayers}, and must not reject.
 */
export function layersFoundOnce(): (find: () => FoundLayers) => FoundLayers {
  let finding: FoundLayers | null = null;
  return async (find) => {
    const current = (finding ??= find());
    const found = await current;
    if (found === null && finding === current) finding = null;
    return found;
  };
}

/** Returns the words for a set of layers, for root or another user. */
export function confine(layers: readonly Layer[], access: Access, isRoot = process.getuid?.() === 0): Confinement {
  const changesUser = layers.includes('user');
  // Root needs no user namespace for the other namespaces, and could not become another user in one without a map.
  const namespaces = [UNSHARE, ...(isRoot && changesUser ? [] : ['--user']), ...NAMESPACES, '--'];
  return {
    prefix: [
      ...(layers.includes('namespaces') ? [SETPRIV, '--pdeathsig', 'KILL', ...namespaces] : []),
      SETPRIV,
      ...SETPRIV_FLAGS,
      ...(changesUser ? AS_DECODER : []),
      ...(layers.includes('files') ? fileRules(access) : []),
    ],
    owner: changesUser ? DECODER_USER : null,
  };
}

/**
 * Returns options of setpriv since util-linux 2.40; Landlock also hides the environment and memory of other processes.
 */
function fileRules({ reads, writes }: Access): string[] {
  const rules = ['--landlock-access', 'fs', '--landlock-rule', 'path-beneath:read-file,write-file:/dev/null'];
  for (const path of [...SYSTEM, ...reads]) rules.push(...rule(path, READ));
  for (const path of writes) rules.push(...rule(path, WRITE));
  const filter = seccompFile();
  return filter === null ? rules : [...rules, '--seccomp-filter', filter];
}

/** Rights that apply to folders are refused for a file. */
function rule(path: string, rights: string): string[] {
  if (!existsSync(path)) return [];
  const real = realpathSync(path);
  return ['--landlock-rule', `path-beneath:${statSync(real).isDirectory() ? rights : READ_FILE}:${real}`];
}
