/** The hashes by which spaCy's networks find a word's rows: MurmurHash (Appleby, public domain). */

const MASK = (1n << 64n) - 1n;
const wrap = (value: bigint): bigint => value & MASK;
const rotated = (value: bigint, by: bigint): bigint => wrap(value << by) | (value >> (64n - by));

const M = 0xc6a4a7935bd1e995n;
const R = 47n;
const STRING_SEED = 1n;

/** Texts that spaCy numbers as built-in symbols instead of hashing them. */
const SYMBOLS = new Map(
  Object.entries({
    acomp: 398,
    advcl: 399,
    advmod: 400,
    agent: 401,
    amod: 402,
    appos: 403,
    attr: 404,
    aux: 405,
    auxpass: 406,
    cc: 407,
    ccomp: 408,
    complm: 409,
    conj: 410,
    cop: 411,
    csubj: 412,
    dep: 414,
    det: 415,
    dobj: 416,
    expl: 417,
    hmod: 418,
    hyph: 419,
    intj: 421,
    iobj: 422,
    mark: 423,
    meta: 424,
    neg: 425,
    nmod: 426,
    nn: 427,
    nsubj: 429,
    num: 431,
    number: 432,
    oprd: 433,
    obj: 434,
    obl: 435,
    parataxis: 436,
    pcomp: 438,
    pobj: 439,
    poss: 440,
    possessive: 441,
    prep: 443,
    prt: 444,
    punct: 445,
    relcl: 447,
    rcmod: 448,
    root: 449,
    xcomp: 450,
    acl: 451,
    ID: 64,
    POS: 74,
    TAG: 75,
    DEP: 76,
    IDX: 455,
    ADJ: 84,
    ADP: 85,
    ADV: 86,
    AUX: 87,
    DET: 90,
    NUM: 93,
    SYM: 99,
    X: 101,
    EOL: 102,
    ORG: 383,
    GPE: 384,
    LOC: 385,
    LAW: 390,
    _: 456,
  }),
);

/** Returns the number of a text: MurmurHash64A. */
export function idOf(text: string): bigint {
  const symbol = SYMBOLS.get(text);
  if (symbol !== undefined) return BigInt(symbol);
  const bytes = Buffer.from(text);
  if (bytes.length === 0) return 0n;
  let hash = STRING_SEED ^ wrap(BigInt(bytes.length) * M);
  const whole = bytes.length - (bytes.length % 8);
  for (let at = 0; at < whole; at += 8) {
    let part = wrap(bytes.readBigUInt64LE(at) * M);
    part = wrap((part ^ (part >> R)) * M);
    hash = wrap((hash ^ part) * M);
  }
  if (whole < bytes.length) {
    let rest = 0n;
    for (let at = bytes.length - 1; at >= whole; at -= 1) rest = (rest << 8n) | BigInt(bytes[at] ?? 0);
    hash = wrap((hash ^ rest) * M);
  }
  hash = wrap((hash ^ (hash >> R)) * M);
  return hash ^ (hash >> R);
}

const C1 = 0x87c37b91114253d5n;
const C2 = 0x4cf5ad432745937fn;
const ID_BYTES = 8n;

function fmix64(value: bigint): bigint {
  let hash = value;
  hash = wrap((hash ^ (hash >> 33n)) * 0xff51afd7ed558ccdn);
  hash = wrap((hash ^ (hash >> 33n)) * 0xc4ceb9fe1a85ec53n);
  return hash ^ (hash >> 33n);
}

/** Returns four 32-bit numbers for a 64-bit number: MurmurHash3_x64_128 of its eight bytes. */
export function rowHashes(id: bigint, seed: bigint): number[] {
  const block = wrap(rotated(wrap(id * C1), 31n) * C2);
  let first = seed ^ block ^ ID_BYTES;
  let second = seed ^ ID_BYTES;
  first = wrap(first + second);
  second = wrap(second + first);
  first = fmix64(first);
  second = fmix64(second);
  first = wrap(first + second);
  second = wrap(second + first);
  const low = 0xffffffffn;
  return [first & low, first >> 32n, second & low, second >> 32n].map(Number);
}
