import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const run = promisify(execFile);

/**
 * Runs in a separate process, because restrictions apply to every later test in the same process.
 * @param answer an expression whose value is returned as text
 */
async function restricted(answer: string): Promise<string> {
  const { stdout } = await run(
    process.execPath,
    [
      '--input-type=module-typescript',
      '-e',
      `
    import sharp from 'sharp';
    import { restrictSharp } from './platform/process/decoders/sharp.ts';
    const png = await sharp({ create: { width: 4, height: 4, channels: 3, background: 'red' } }).png().toBuffer();
    const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4"/>');
    restrictSharp();
    console.log(${answer});
  `,
    ],
    { env: { PATH: process.env['PATH'] ?? '' } },
  );
  return stdout.trim();
}

const loads = (picture: string): Promise<string> =>
  restricted(`await sharp(${picture}).metadata().then(({ format }) => format, () => 'refused')`);

describe('restrictSharp', () => {
  it('keeps the formats that media may have', async () => expect(await loads('png')).toBe('png'));
  it('refuses the other formats that libvips can read', async () => expect(await loads('svg')).toBe('refused'));
  it('leaves one thread for a picture, and no cache', async () => {
    const settings: unknown = JSON.parse(await restricted('JSON.stringify([sharp.concurrency(), sharp.cache()])'));
    expect(settings).toEqual([
      1,
      {
        memory: expect.objectContaining({ max: 0 }),
        files: expect.objectContaining({ max: 0 }),
        items: expect.objectContaining({ max: 0 }),
      },
    ]);
  });
});
