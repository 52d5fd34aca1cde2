/** The one-line summaries that Temporal shows of a workflow. */

/**
 * A server's default limit (`limit.userMetadataSummarySize`; not every version holds us to it) is
 * 400 bytes for the payload: the text as JSON in UTF-8, and about 30 bytes around it.
 */
const MAX_ENCODED_BYTES = 300;
const CUT_MARK = '…';

/** The text as it may be a summary: whole, or cut after a code point and marked as cut. */
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

/** Bytes of the text within a JSON string, where quotes and control characters take several. */
function encodedBytes(text: string): number {
  return Buffer.byteLength(JSON.stringify(text)) - '""'.length;
}
