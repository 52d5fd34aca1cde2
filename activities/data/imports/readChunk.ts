/** Reads and judges the next lines of an import, as many as one transaction takes. */
import { storable } from '../../../db/analysis/storable.ts';
import {
  IMPORT_CHUNK_BYTES, IMPORT_CHUNK_LINES, IMPORT_LINE_BYTES, type CsvLayout, type ImportError, type ImportFormat, type ImportPosition,
} from '../../../domain/imports.ts';
import type { ItemOperation } from '../../../domain/itemOperations.ts';
import type { JudgedLine } from '../../../schemas/itemLine.ts';
import { readCsvHead } from './csvHead.ts';
import { csvReader, readJsonLines, type Spelled } from './lines.ts';
import { csvScanner, lineScanner, splitRecords, type RawRecord } from './records.ts';

export interface Chunk {
  operations: readonly { line: number; operation: ItemOperation }[];
  errors: readonly ImportError[];
  next: ImportPosition;
  layout: CsvLayout | null;
  /** Set by the last chunk. */
  end: 'done' | 'failed' | null;
}

export interface ChunkSource {
  format: ImportFormat;
  layout: CsvLayout | null;
  next: ImportPosition;
  bytes: number;
}

export type JudgeLine = (value: unknown) => JudgedLine;

const EMPTY = Buffer.alloc(0);
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** @param stream the file from `source.next` on; only as much of it is read as the chunk takes */
export async function readChunk(stream: AsyncIterable<Buffer>, source: ChunkSource, judge: JudgeLine): Promise<Chunk> {
  return source.format === 'csv' && !source.layout ? readHead(stream, source) : collect(stream, source, judge);
}

/** A chunk of its own: what comes after it is cut by the delimiter that it names. */
async function readHead(stream: AsyncIterable<Buffer>, source: ChunkSource): Promise<Chunk> {
  const records = splitRecords(stream, source.next, lineScanner(), IMPORT_LINE_BYTES);
  for await (const { bytes, next, line } of records) {
    const head = bytes && readCsvHead(withoutBom(bytes, line));
    if (head && 'columns' in head) return { operations: [], errors: [], next, layout: head, end: next.offset >= source.bytes ? 'done' : null };
    const faults = (head ? head.faults : []).map(storable);
    return failed(source, { line, itemId: null, code: 'invalid_header', faults });
  }
  return failed(source, { line: 1, itemId: null, code: 'invalid_header', faults: [] });
}

function failed({ next, layout }: ChunkSource, error: ImportError): Chunk {
  return { operations: [], errors: [error], next, layout, end: 'failed' };
}

async function collect(stream: AsyncIterable<Buffer>, { layout, next, bytes }: ChunkSource, judge: JudgeLine): Promise<Chunk> {
  const records = await takeRecords(stream, next, layout);
  const spelled = (layout ? csvReader(layout) : readJsonLines)(records.map((record) => withoutBom(record.bytes ?? EMPTY, record.line)));
  const lines = records.flatMap((record, index) => judgeRecord(record, spelled[index] ?? null, judge) ?? []);
  const at = records.at(-1)?.next ?? next;
  return {
    operations: lines.filter((line) => 'operation' in line),
    errors: lines.filter((line) => 'code' in line),
    next: at,
    layout,
    end: at.offset >= bytes ? 'done' : null,
  };
}

/** As many as one transaction takes. */
async function takeRecords(stream: AsyncIterable<Buffer>, start: ImportPosition, layout: CsvLayout | null): Promise<RawRecord[]> {
  const scanner = layout ? csvScanner(layout.delimiter) : lineScanner();
  const records: RawRecord[] = [];
  for await (const record of splitRecords(stream, start, scanner, IMPORT_LINE_BYTES)) {
    records.push(record);
    if (records.length >= IMPORT_CHUNK_LINES || record.next.offset - start.offset >= IMPORT_CHUNK_BYTES) break;
  }
  return records;
}

/** Null for a blank line. */
function judgeRecord({ bytes, line }: RawRecord, spelled: Spelled | null, judge: JudgeLine): { line: number; operation: ItemOperation } | ImportError | null {
  if (!bytes) return { line, itemId: null, code: 'line_too_long', faults: [] };
  if (!spelled) return null;
  if ('code' in spelled) return { line, itemId: null, ...spelled };
  const judged = judge(spelled.value);
  if ('content' in judged) return { line, operation: { op: 'put', ...judged } };
  return { line, itemId: judged.id, code: 'validation_failed', faults: judged.faults.map(storable) };
}

/** Editors put one before the first line. */
function withoutBom(bytes: Buffer, line: number): Buffer {
  return line === 1 && bytes.subarray(0, BOM.length).equals(BOM) ? bytes.subarray(BOM.length) : bytes;
}
