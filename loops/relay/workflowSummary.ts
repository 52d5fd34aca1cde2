/** One-line summaries of workflows, which Temporal displays. */

/**
 * A server's default limit (`limit.userMetadataSummarySize`; not every version enforces it) is 400 bytes for the
 * payload: the text as JSON in UTF-8, and about 30 bytes around it.
 */
const MAX_ENCODED_BYTES = 300;
const CUT_MARK = '…';

/** Returns the text as a valid summary: whole, or cut after a code point and marked as cut. */
export function summaryOf(text: string): string {
  if (encodedBytes(text) <= MAX_ENCODED_BYTES) return text;
  let kept = '';
  let bytes = encodedBytes(CUT_MARK);
  for (const codePoint of text) {
    bytes += encodedBytes(codePoint);
    if (bytes > MAX_ENCODED_BYTES) break;
    kept += codePoint;
  }
  return kept + CUT_MARK;
}

/** Returns the size of the text in bytes within a JSON string, where quotes and control characters take several. */
function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - '""'.length;
}
