import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll } from '@jest/globals';

/**
 * Registers hooks that list every process that this one starts, as Node reports it.
 * @param onChild called for each when it starts
 */
export function watchChildren(onChild: (child: ChildProcess) => void = () => {}): readonly ChildProcess[] {
  const children: ChildProcess[] = [];
  const noteChild = (message: unknown): void => {
    const { process: child } = message as { process: ChildProcess };
    children.push(child);
    onChild(child);
  };
  beforeAll(() => subscribe('child_process', noteChild));
  afterAll(() => void unsubscribe('child_process', noteChild));
  return children;
}
