import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { describe, expect, it } from '@jest/globals';
import { stepThreadsBack } from '../../../reports/engines/stepBack.ts';

describe('threads step back', () => {
  it('though one before them has ended meanwhile', async () => {
    const [ended, other] = [
      spawn(process.execPath, ['-e', '']),
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']),
    ];
    try {
      await once(ended, 'exit');
      stepThreadsBack([ended.pid ?? 0, other.pid ?? 0]);
      expect(getPriority(other.pid)).toBe(10);
    } finally {
      other.kill();
      await once(other, 'exit');
    }
  });
});
