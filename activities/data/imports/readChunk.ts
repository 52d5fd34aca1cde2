/** Reads and validates the next lines of an import, as many as fit into one transaction. */
import { storable } from '../../../db/analysis/results/storable.ts';
import {
  IMPORT_LINE_BYTES,
  IMPORT_SKIP_BYTES,
  type CsvLayout,
  type ImportError,
  type ImportFormat,
  type ImportPosition,
} from '../../../domain/jobs/imports.ts';
import type { ItemOperation } from '../../../domain/items/decideOperation.ts';
import type { ValidatedLine } from '../../../domain/schemas/importLine.ts';
import { readCsvHead } from './csvHead.ts';
import { csvReader, readJsonLines, type ParsedLine } from './lines.ts';
import { csvScanner, lineScanner, splitRecords, type RawRecord, type RecordLimits } from './records.ts';

/** Number of lines applied in one transaction: as many as in a batch of the API. */
export const CHUNK_LINES = 500;
/** Maximum number of bytes of these lines, so that long lines do not exhaust memory. */
export const CHUNK_BYTES = 8 * 1024 * 1024;

export interface Chunk {
  operations: readonly { line: number; operation: ItemOperation }[];
  errors: readonly ImportError[];
  next: ImportPosition;
  layout: CsvLayout | null;
  /** Null unless this is the last chunk. */
  end: 'done' | 'failed' | null;
}

export interface ChunkSource {
  format: ImportFormat;
  layout: CsvLayout | null;
  next: ImportPosition;
  /** Size of the file. */
  bytes: number;
}

export type ValidateLine = (value: unknown) => ValidatedLine;

const EMPTY = Buffer.alloc(0);
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const LIMITS: RecordLimits = { maxBytes: IMPORT_LINE_BYTES, skipBytes: IMPORT_SKIP_BYTES };

/**
 * Reads a chunk. The last chunk reaches `source.bytes`, or cannot reach it because the file is shorter or a line has no
 * end.
 * @param stream the file from `source.next` on; it is read only as far as the chunk goes
 */
export async function readChunk(
  stream: AsyncIterable<Buffer>,
  source: ChunkSource,
  validate: ValidateLine,
): Promise<Chunk> {
  return source.format === 'csv' && !source.layout ? readHead(stream, source) : collect(stream, source, validate);
}

/** Reads the header row as a chunk of its own, because the delimiter that it declares splits the rest. */
async function readHead(stream: AsyncIterable<Buffer>, source: ChunkSource): Promise<Chunk> {
  const records = splitRecords(stream, source.next, lineScanner(), LIMITS);
  for await (const { bytes, next, line, end } of records) {
    if (end === 'stream' && next.offset < source.bytes) break;
    const head = bytes && readCsvHead(withoutBom(bytes, line));
    if (head && 'columns' in head)
      return { operations: [], errors: [], next, layout: head, end: next.offset >= source.bytes ? 'done' : null };
    const faults = (head ? head.faults : []).map(storable);
    return failed(source, { line, itemId: null, code: 'invalid_header', faults });
  }
  return failed(source, fileLostError(source.next.line));
}

/**
 * Returns the error for a file that is shorter than its recorded size, or no longer exists. The fragment of its last
 * line is not imported.
 */
function fileLostError(line: number): ImportError {
  return { line, itemId: null, code: 'file_lost', faults: [] };
}

function failed({ next, layout }: ChunkSource, error: ImportError): Chunk {
  return { operations: [], errors: [error], next, layout, end: 'failed' };
}

async function collect(
  stream: AsyncIterable<Buffer>,
  { layout, next: start, bytes }: ChunkSource,
  validate: ValidateLine,
): Promise<Chunk> {
  const { records, next, end } = await takeRecords(stream, { start, bytes, layout });
  const parsed = (layout ? csvReader(layout) : readJsonLines)(
    records.map((record) => withoutBom(record.bytes ?? EMPTY, record.line)),
  );
  const lines = records.flatMap((record, index) => validateRecord(record, parsed[index] ?? null, validate) ?? []);
  const errors = lines.filter((line) => 'code' in line);
  return {
    operations: lines.filter((line) => 'operation' in line),
    errors: end === 'lost' ? [...errors, fileLostError(next.line)] : errors,
    next,
    layout,
    end: end === 'lost' || end === 'endless' ? 'failed' : end,
  };
}

interface TakenRecords {
  /** The records, without blank ones. */
  records: RawRecord[];
  next: ImportPosition;
  /** Null if the file has more records. */
  end: 'done' | 'lost' | 'endless' | null;
}

/**
 * Takes as many records as fit into one transaction. Blank records cost the transaction nothing, so only their bytes
 * count: otherwise a file of line ends alone would make millions of chunks.
 */
async function takeRecords(
  stream: AsyncIterable<Buffer>,
  { start, bytes, layout }: { start: ImportPosition; bytes: number; layout: CsvLayout | null },
): Promise<TakenRecords> {
  const scanner = layout ? csvScanner(layout.delimiter) : lineScanner();
  const records: RawRecord[] = [];
  let next = start;
  for await (const record of splitRecords(stream, start, scanner, LIMITS)) {
    if (record.end === 'stream' && record.next.offset < bytes) return { records, next, end: 'lost' };
    next = record.next;
    if (!record.bytes || !isBlank(record.bytes, layout)) records.push(record);
    if (record.end === 'none') return { records, next, end: 'endless' };
    if (records.length >= CHUNK_LINES || next.offset - start.offset >= CHUNK_BYTES) break;
  }
  if (next.offset >= bytes) return { records, next, end: 'done' };
  return { records, next, end: next.offset > start.offset ? null : 'lost' };
}

const WHITE_SPACE: ReadonlySet<number> = new Set([0x09, 0x0d, 0x20]);

/**
 * Returns true for a record of nothing but white space, or of nothing but empty cells. Other blank records are
 * recognised later, and count towards the chunk's limit.
 */
function isBlank(bytes: Buffer, layout: CsvLayout | null): boolean {
  const delimiter = layout?.delimiter.charCodeAt(0);
  return (
    bytes.every((byte) => WHITE_SPACE.has(byte)) ||
    (delimiter !== undefined && bytes.every((byte) => byte === delimiter))
  );
}

/** Returns null for a blank line. */
function validateRecord(
  { bytes, line }: RawRecord,
  parsed: ParsedLine | null,
  validate: ValidateLine,
): { line: number; operation: ItemOperation } | ImportError | null {
  if (!bytes) return { line, itemId: null, code: 'line_too_long', faults: [] };
  if (!parsed) return null;
  if ('code' in parsed) return { line, itemId: null, ...parsed };
  const validated = validate(parsed.value);
  if ('content' in validated) return { line, operation: { op: 'put', ...validated } };
  return { line, itemId: validated.id, code: 'validation_failed', faults: validated.faults.map(storable) };
}

/** Strips the byte order mark that some editors put before the first line. */
function withoutBom(bytes: Buffer, line: number): Buffer {
  return line === 1 && bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes;
}
