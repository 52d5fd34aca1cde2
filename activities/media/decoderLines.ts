/** Reads the lines of a confined decoder, which may be under somebody else's control. */
import type { Readable } from 'node:stream';

/**
 * Calls `onLine` for each line, including an unfinished last one. A line of more than `most` characters is not kept:
 * `onTooLong` is called, and nothing more is read.
 */
export function readLines(stream: Readable, most: number, onLine: (line: string) => void, onTooLong: () => void): void {
  let [parts, length]: [string[], number] = [[], 0];
  const add = (part: string): void => {
    parts.push(part);
    length += part.length;
  };
  const end = (): void => {
    const line = parts.join('');
    [parts, length] = [[], 0];
    onLine(line);
  };
  const onData = (chunk: string): void => {
    const [first = '', ...others] = chunk.split('\n');
    add(first);
    for (const part of others) {
      if (length > most) break;
      end();
      add(part);
    }
    if (length <= most) return;
    stream.off('data', onData).resume();
    [parts, length] = [[], 0];
    onTooLong();
  };
  stream.setEncoding('utf8');
  stream.on('data', onData);
  stream.once('end', () => {
    if (length > 0) end();
  });
}
