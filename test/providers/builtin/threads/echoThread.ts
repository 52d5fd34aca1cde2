/** A thread for the tests that follows commands. */
import { writeFileSync } from 'node:fs';
import { serve } from '../../../../providers/builtin/threads/serve.ts';

let count = 0;

/** Uses this much processor time. */
function work(ms: number): void {
  const before = process.threadCpuUsage();
  const used = ({ user, system } = process.threadCpuUsage(before)): number => (user + system) / 1000;
  while (used() < ms);
}

serve(async (request: string): Promise<string> => {
  count += 1;
  if (request === 'slow') await new Promise((resolve) => setTimeout(resolve, 200));
  if (request === 'count') return `echo count ${count}`;
  if (request === 'throw') throw new Error('asked to');
  if (request === 'write') writeFileSync('/dev/full', 'x');
  if (request === 'exit') process.exit(3);
  if (request === 'hang') for (;;);
  if (request === 'busy') work(100);
  if (request === 'memory')
    for (const kept: unknown[] = []; ;) kept.push(Array.from({ length: 10_000 }, (_, index) => ({ index })));
  return `echo ${request}`;
});
