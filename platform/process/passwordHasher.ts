/**
 * The slow hash that is stored instead of a password. scrypt is part of Node and, unlike its argon2, no longer
 * experimental.
 */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';

/** Cost of a hash: 2 ** logN blocks of 128 · r bytes each, p times in sequence. */
export interface PasswordCost {
  logN: number;
  r: number;
  p: number;
}

/**
 * One of the five settings that the OWASP Password Storage Cheat Sheet considers equal. With the first, N = 2^17, two
 * at a time would take 256 MiB of an API process; this one takes 32 MiB each.
 */
const COST: PasswordCost = { logN: 15, r: 8, p: 3 };
const SALT_BYTES = 16;
const HASH_BYTES = 32;
/** Number of concurrent hashes: libuv has four threads, and file and name operations need some of them too. */
const CONCURRENCY = 2;
/** Maximum number of waiting hashes; further callers are told to try again. Each takes about 0.2 s. */
const MAX_WAITING = 40;

export interface PasswordHasher {
  /** Hashes a password. @returns method, cost, salt and hash as one text */
  hash(password: string): Promise<string>;
  /** Takes the same time for an unknown user (`stored` is null). */
  verify(password: string, stored: string | null): Promise<boolean>;
  /** Returns true when a hash was made at a different cost from new ones. */
  isOutdated(stored: string): boolean;
}

/** Too many hashes are waiting. */
export class TooManyPasswordsError extends Error {
  override readonly name = 'TooManyPasswordsError';
}

/** Creates a hasher that works off the event loop, on at most two threads. */
export function createPasswordHasher(cost: PasswordCost = COST): PasswordHasher {
  const inTurn = createConcurrencyLimit();
  const nobody = unusablePasswordHash(cost);
  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return format(cost, salt, await inTurn(() => derive(password, salt, cost)));
    },
    async verify(password, stored) {
      const known = parse(stored ?? nobody);
      const derived = await inTurn(() => derive(password, known.salt, known.cost));
      return timingSafeEqual(derived, known.hash) && stored !== null;
    },
    isOutdated(stored) {
      const known = parse(stored).cost;
      return known.logN !== cost.logN || known.r !== cost.r || known.p !== cost.p;
    },
  };
}

/** Returns a hash that no password has, for an account whose password is void. */
export function unusablePasswordHash(cost: PasswordCost = COST): string {
  return format(cost, randomBytes(SALT_BYTES), randomBytes(HASH_BYTES));
}

/**
 * The password is normalised with NFKC, so that the same one typed on two keyboards matches (NIST SP 800-63B, 3.1.1.2).
 */
function derive(password: string, salt: Buffer, { logN, r, p }: PasswordCost): Promise<Buffer> {
  const cost = 2 ** logN;
  return new Promise((resolve, reject) => {
    scrypt(
      password.normalize('NFKC'),
      salt,
      HASH_BYTES,
      { cost, blockSize: r, parallelization: p, maxmem: 256 * cost * r },
      (error, hash) => {
        if (error) reject(error);
        else resolve(hash);
      },
    );
  });
}

function format({ logN, r, p }: PasswordCost, salt: Buffer, hash: Buffer): string {
  return `$scrypt$ln=${logN},r=${r},p=${p}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

function parse(stored: string): { cost: PasswordCost; salt: Buffer; hash: Buffer } {
  const [, logN, r, p, salt = '', hash = ''] =
    /^\$scrypt\$ln=(\d+),r=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) ?? [];
  if (hash === '') throw new Error('a stored password hash has an unknown format');
  return {
    cost: { logN: Number(logN), r: Number(r), p: Number(p) },
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  };
}

/** Returns a queue that runs `CONCURRENCY` pieces of work at a time, in the order of their arrival. */
function createConcurrencyLimit(): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (running >= CONCURRENCY) {
      if (waiting.length >= MAX_WAITING) throw new TooManyPasswordsError('too many passwords are being hashed');
      await new Promise<void>((resolve) => void waiting.push(resolve));
    } else {
      running += 1;
    }
    try {
      return await work();
    } finally {
      // The slot goes directly to the next one, so nobody slips in between.
      const next = waiting.shift();
      if (next) next();
      else running -= 1;
    }
  };
}
