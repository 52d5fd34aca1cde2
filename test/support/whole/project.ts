/** One stack for several parts of a test, each with a project of its own. */
import { newProject } from '../../../chaos/stage/cabinet.ts';
import type { WholeStack } from './stack.ts';

/** The stack as it is to whoever has this project and knows of no other. */
export async function ownProject(stack: WholeStack, title: string): Promise<WholeStack> {
  const { id, key } = await newProject(stack, title);
  return { ...stack, dev: { ...stack.dev, project: { id, key } } };
}
