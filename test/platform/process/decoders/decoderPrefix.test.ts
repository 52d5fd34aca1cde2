import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { decoderPrefix } from '../../../../platform/process/decoders/decoderPrefix.ts';

const run = promisify(execFile);

it('the prefix of a decoder is found once processes can be started again', async () => {
  const fixture = join(import.meta.dirname, '..', 'fixtures', 'noFileHandles.ts');
  const { stdout } = await run('/bin/sh', ['-c', 'ulimit -n 200; exec "$0" "$1"', process.execPath, fixture]);
  expect(JSON.parse(stdout)).toEqual({ without: [], afterwards: await decoderPrefix() });
});
