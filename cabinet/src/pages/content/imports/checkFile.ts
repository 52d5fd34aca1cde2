/** Checks a file before it is sent. */
import type { ImportFormat } from '../../../data/items/imports.ts';

/** Reasons for not sending a file; the dictionary has a sentence for each. */
export type Refusal = 'empty' | 'packed' | 'encoding' | 'json' | 'several';

const HEAD_BYTES = 4_096;
/** Signatures of archives, including spreadsheet files, which are archives. */
const PACKED = [
  [0x50, 0x4b, 0x03, 0x04],
  [0xd0, 0xcf, 0x11, 0xe0],
  [0x1f, 0x8b],
];
const UTF16 = [
  [0xff, 0xfe],
  [0xfe, 0xff],
];

/** Checks a file by its beginning, which is more reliable than its name. */
export async function checkFile(file: Blob): Promise<{ format: ImportFormat } | { refusal: Refusal }> {
  if (file.size === 0) return { refusal: 'empty' };
  const head = new Uint8Array(await file.slice(0, HEAD_BYTES).arrayBuffer());
  const begins = (marks: readonly number[][]): boolean =>
    marks.some((mark) => mark.every((byte, index) => head[index] === byte));
  if (begins(PACKED)) return { refusal: 'packed' };
  const text = begins(UTF16) ? null : decode(head);
  if (text === null) return { refusal: 'encoding' };
  return checkText(text.trimStart());
}

function checkText(text: string): { format: ImportFormat } | { refusal: Refusal } {
  if (text === '') return { refusal: 'empty' };
  const [first = ''] = text.split('\n', 1);
  // A list, or an object over several lines, is plain JSON and not one object per line.
  if (first.startsWith('[') || first.trim() === '{') return { refusal: 'json' };
  return { format: first.startsWith('{') ? 'jsonl' : 'csv' };
}

/** Returns null for any encoding other than UTF-8. The beginning may be cut within a character. */
function decode(head: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
  } catch {
    return null;
  }
}
