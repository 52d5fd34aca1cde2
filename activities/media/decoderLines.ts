/** Reads the lines of a confined decoder. It may write anything, because a hostile file may have taken control of it. */
import type { Readable } from 'node:stream';

/**
 * Calls `onLine` for each line, including an unfinished last one. A line of more than `maxLength` characters is not
 * kept: `onTooLong` is called, and whatever follows is ignored.
 */
export function readLines(
  stream: Readable,
  maxLength: number,
  onLine: (line: string) => void,
  onTooLong: () => void,
): void {
  let [parts, length]: [string[], number] = [[], 0];
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const endLine = (): void => {
    const line = parts.join('');
    [parts, length] = [[], 0];
    onLine(line);
  };
  const onData = (chunk: string): void => {
    const [first = '', ...others] = chunk.split('\n');
    add(first);
    for (const part of others) {
      if (length > maxLength) break;
      endLine();
      add(part);
    }
    if (length <= maxLength) return;
    stream.off('data', onData).resume();
    [parts, length] = [[], 0];
    onTooLong();
  };
  stream.setEncoding('utf8');
  stream.on('data', onData);
  stream.once('end', () => {
    if (length > 0) endLine();
  });
}
