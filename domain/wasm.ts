/**
 * WebAssembly's binary format, as far as the product's functions with 128-bit SIMD need it
 * (https://webassembly.github.io/spec/core/binary/). Code is written as nested lists of bytes.
 */
export type Code = readonly (number | Code)[];

/** The part of WebAssembly's interface that is used here: TypeScript declares it only in the types for browsers. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number }) => {
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  };
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Instance: new (module: object, imports: object) => { readonly exports: unknown };
};

const I32 = 0x7f;
const I64 = 0x7e;
const V128 = 0x7b;
const VECTOR = 0xfd;
const NO_RESULT = 0x40;
/** Alignment is a hint, as a power of two. */
const ALIGN_4 = 2;
const ALIGN_8 = 3;

/** The instructions, by the names of the specification; offsets are in bytes. */
export const op = {
  get: (local: number): Code => [0x20, unsigned(local)],
  set: (local: number): Code => [0x21, unsigned(local)],
  tee: (local: number): Code => [0x22, unsigned(local)],
  i32: (value: number): Code => [0x41, signed(value)],
  add: 0x6a,
  subtract: 0x6b,
  multiply: 0x6c,
  isLessUnsigned: 0x49,
  /** Returns 1 or 0. */
  isAtMostUnsigned: 0x4d,
  shiftLeft: 0x74,
  /** The next five work on 64-bit integers; the last of them converts one to a 32-bit integer. */
  loadLong: (offset: number): Code => [0x29, ALIGN_8, unsigned(offset)],
  xorLongs: 0x85,
  addLongs: 0x7c,
  countBitsOfLong: 0x7b,
  toInteger: 0xa7,
  /** Runs `body`, and again while it leaves a number other than 0. */
  repeatWhile: (body: Code): Code => [0x03, NO_RESULT, body, 0x0d, 0, 0x0b],
  load: (offset: number): Code => [VECTOR, unsigned(0x00), ALIGN_4, unsigned(offset)],
  /** Loads one number into all four lanes. */
  loadSplat: (offset: number): Code => [VECTOR, unsigned(0x09), ALIGN_4, unsigned(offset)],
  store: (offset: number): Code => [VECTOR, unsigned(0x0b), ALIGN_4, unsigned(offset)],
  /** Loads one 64-bit float into both lanes. */
  loadDoubleSplat: (offset: number): Code => [VECTOR, unsigned(0x0a), ALIGN_4, unsigned(offset)],
  /** Load and store the first half of a vector. A load sets the second half to zero, and a store leaves it out. */
  loadHalf: (offset: number): Code => [VECTOR, unsigned(0x5d), ALIGN_4, unsigned(offset)],
  storeHalf: (offset: number): Code => [VECTOR, unsigned(0x5b), ALIGN_4, unsigned(offset), 0],
  /** Stores one 32-bit integer. */
  storeInteger: (offset: number): Code => [0x36, ALIGN_4, unsigned(offset)],
  addFloats: [VECTOR, unsigned(0xe4)] as Code,
  multiplyFloats: [VECTOR, unsigned(0xe6)] as Code,
  /** Take the smaller or the larger numbers of two vectors, lane by lane. */
  smallerFloats: [VECTOR, unsigned(0xe8)] as Code,
  largerFloats: [VECTOR, unsigned(0xe9)] as Code,
  /**
   * The next five work on vectors of two 64-bit floats: the first converts two 32-bit floats to them, and the second
   * does the reverse.
   */
  widenFloats: [VECTOR, unsigned(0x5f)] as Code,
  roundToFloats: [VECTOR, unsigned(0x5e)] as Code,
  addDoubles: [VECTOR, unsigned(0xf0)] as Code,
  subtractDoubles: [VECTOR, unsigned(0xf1)] as Code,
  multiplyDoubles: [VECTOR, unsigned(0xf2)] as Code,
  /** Widen the first or the last eight of sixteen 8-bit integers to 16 bits. */
  widenLow: [VECTOR, unsigned(0x87)] as Code,
  widenHigh: [VECTOR, unsigned(0x88)] as Code,
  /** Returns four sums of two products each, of 16-bit integers. */
  multiplyPairs: [VECTOR, unsigned(0xba)] as Code,
  /** Puts one 32-bit integer into all four lanes. */
  splat: [VECTOR, unsigned(0x11)] as Code,
  addIntegers: [VECTOR, unsigned(0xae)] as Code,
  /**
   * Round floats to the nearest integer (ties go to the even one), convert them to 32-bit integers, and convert these
   * back.
   */
  roundFloats: [VECTOR, unsigned(0x6a)] as Code,
  toIntegers: [VECTOR, unsigned(0xf8)] as Code,
  toFloats: [VECTOR, unsigned(0xfa)] as Code,
  /** Narrows the 32-bit integers of two vectors to eight 16-bit ones, with saturation. */
  narrow: [VECTOR, unsigned(0x85)] as Code,
  integerAt: (lane: number): Code => [VECTOR, unsigned(0x1b), lane],
  /** Adds the four 32-bit integers of a vector. */
  sumOfIntegers: (local: number): Code =>
    [0, 1, 2, 3].map((lane) => [op.get(local), op.integerAt(lane), lane === 0 ? [] : op.add]),
  /** Advances an address. */
  advance: (local: number, bytes: number): Code => [op.get(local), op.i32(bytes), op.add, op.set(local)],
};

/**
 * A function whose parameters and first locals are 32-bit integers; 64-bit integers follow them, then vectors. It has
 * no result, or one 32-bit integer.
 */
export interface WasmFunction {
  name: string;
  parameters: number;
  integers: number;
  longs?: number;
  vectors: number;
  hasResult?: boolean;
  body: Code;
}

const PAGE_BYTES = 65_536;
/** The number of pages that 32-bit addresses can reach. */
const MAX_PAGES = 65_536;

export interface WasmInstance {
  /** The memory that the functions read and write; it never moves. */
  memory: ArrayBuffer;
  /** The functions by name; their author knows their parameters. */
  functions: unknown;
}

/** Instantiates functions, with a zeroed memory of their own of this many bytes. */
export function instanceOf(functions: readonly WasmFunction[], bytes: number): WasmInstance {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  return { memory: memory.buffer, functions: instantiate(functions, memory) };
}

export interface GrowingInstance {
  /** The memory as it is now. Growth replaces the buffer, so views of it are valid until then. */
  readonly memory: ArrayBuffer;
  /**
   * Makes the memory at least this large. Nothing is copied; new bytes are 0.
   * @throws {RangeError} when there is not as much memory
   */
  grow(bytes: number): void;
  functions: unknown;
}

/** Instantiates functions, with a zeroed memory of their own that can grow up to 4 GiB. */
export function growingInstanceOf(functions: readonly WasmFunction[], bytes: number): GrowingInstance {
  const memory = new WebAssembly.Memory({ initial: Math.ceil(bytes / PAGE_BYTES), maximum: MAX_PAGES });
  return {
    functions: instantiate(functions, memory),
    get memory() {
      return memory.buffer;
    },
    grow(enough) {
      const missing = Math.ceil((enough - memory.buffer.byteLength) / PAGE_BYTES);
      if (missing > 0) memory.grow(missing);
    },
  };
}

function instantiate(functions: readonly WasmFunction[], memory: object): unknown {
  return new WebAssembly.Instance(new WebAssembly.Module(moduleOf(functions)), { from: { memory } }).exports;
}

/** Returns the bytes of a module of such functions. Its memory is imported as `memory` of `from`. */
function moduleOf(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const indices = functions.map((_, index) => index);
  return bytesOf([
    [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    section(1, list(functions.map(signature))),
    section(2, list([[text('from'), text('memory'), 0x02, 0x00, unsigned(1)]])),
    section(3, list(indices.map(unsigned))),
    section(7, list(functions.map(({ name }, index) => [text(name), 0x00, unsigned(index)]))),
    section(10, list(functions.map((one) => sized(functionBody(one))))),
  ]);
}

function signature({ parameters, hasResult = false }: WasmFunction): Code {
  return [0x60, list(Array.from({ length: parameters }, () => [I32])), list(hasResult ? [[I32]] : [])];
}

function functionBody({ integers, longs = 0, vectors, body }: WasmFunction): Code {
  const locals = list([
    [unsigned(integers), I32],
    [unsigned(longs), I64],
    [unsigned(vectors), V128],
  ]);
  return [locals, body, 0x0b];
}

const section = (id: number, content: Code): Code => [id, sized(content)];
const sized = (content: Code): Code => {
  const bytes = [...bytesOf(content)];
  return [unsigned(bytes.length), bytes];
};
const list = (entries: readonly Code[]): Code => [unsigned(entries.length), entries];
const text = (value: string): Code => sized([...Buffer.from(value)]);

function bytesOf(code: Code): Uint8Array<ArrayBuffer> {
  const bytes: number[] = [];
  const add = (part: number | Code): void => {
    if (typeof part === 'number') bytes.push(part);
    else part.forEach(add);
  };
  add(code);
  return Uint8Array.from(bytes);
}

/** Encodes LEB128: seven bits a byte, the lowest first; the highest bit says that more follow. */
function unsigned(value: number): number[] {
  const rest = value >>> 7;
  return rest === 0 ? [value & 0x7f] : [(value & 0x7f) | 0x80, ...unsigned(rest)];
}

/** Encodes signed numbers in the same way; the sign is the second highest bit of the last byte. */
function signed(value: number): number[] {
  const low = value & 0x7f;
  const rest = value >> 7;
  const isLast = rest === ((low & 0x40) === 0 ? 0 : -1);
  return isLast ? [low] : [low | 0x80, ...signed(rest)];
}
