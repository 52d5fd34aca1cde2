/**
 * A seccomp program (classic BPF, linux/filter.h) for decoders: no sockets but the pairs by which a parent talks to its
 * child, no access to other processes, and no io_uring, which could open sockets without passing the filter. Everything
 * else is allowed.
 */
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * AUDIT_ARCH_* of linux/audit.h, and the numbers of the calls: socket, ptrace, process_vm_readv and _writev,
 * io_uring_setup, bpf.
 */
const ARCHITECTURES: Readonly<Record<string, { audit: number; calls: readonly number[] }>> = {
  x64: { audit: 0xc000003e, calls: [41, 101, 310, 311, 425, 321] },
  arm64: { audit: 0xc00000b7, calls: [198, 117, 270, 271, 425, 280] },
};

const LOAD_WORD = 0x20;
const JUMP_EQUAL = 0x15;
const JUMP_AT_LEAST = 0x35;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
/** SECCOMP_RET_ERRNO with EACCES. */
const REFUSE = 0x00050000 | 13;
/** Offsets in struct seccomp_data. */
const CALL = 0;
const ARCHITECTURE = 4;
/** Calls of the x32 interface have this bit; nothing in the product uses it. */
const X32 = 0x40000000;

/** Returns the program for this machine, or null when its call numbers are unknown here. */
function seccompProgram(architecture: string = process.arch): Buffer | null {
  const known = ARCHITECTURES[architecture];
  if (known === undefined) return null;
  const { audit, calls } = known;
  return Buffer.concat([
    instruction(LOAD_WORD, 0, 0, ARCHITECTURE),
    instruction(JUMP_EQUAL, 1, 0, audit),
    instruction(RETURN, 0, 0, KILL),
    instruction(LOAD_WORD, 0, 0, CALL),
    instruction(JUMP_AT_LEAST, calls.length + 1, 0, X32),
    ...calls.map((call, at) => instruction(JUMP_EQUAL, calls.length - at, 0, call)),
    instruction(RETURN, 0, 0, ALLOW),
    instruction(RETURN, 0, 0, REFUSE),
  ]);
}

let written: string | null | undefined;

/** Returns a file with the program, for setpriv; it exists as long as this process. Null when there is no program. */
export function seccompFile(): string | null {
  if (written !== undefined) return written;
  const program = seccompProgram();
  if (program === null) return (written = null);
  const folder = mkdtempSync(join(tmpdir(), 'attune-seccomp-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  // `setpriv` reads the file after it has switched to the other user, who therefore needs access to the folder.
  chmodSync(folder, 0o755);
  const path = join(folder, 'decoder.bpf');
  writeFileSync(path, program);
  return (written = path);
}

function instruction(code: number, ifTrue: number, ifFalse: number, value: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt16LE(code, 0);
  bytes.writeUInt8(ifTrue, 2);
  bytes.writeUInt8(ifFalse, 3);
  bytes.writeUInt32LE(value >>> 0, 4);
  return bytes;
}
