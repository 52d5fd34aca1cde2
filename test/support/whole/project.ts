/** One stack for several parts of a test, each with its own project. */
import { newProject } from '../../../tools/chaos/stage/cabinet.ts';
import type { WholeStack } from './stack.ts';

/** Returns the stack as seen by a user who has only this new project. */
export async function ownProject(stack: WholeStack, title: string): Promise<WholeStack> {
  const { id, key } = await newProject(stack, title);
  return { ...stack, dev: { ...stack.dev, project: { id, key } } };
}
