/** Commands for projects. */
import { TITLE_MAX_LENGTH } from '../../../domain/accounts/titleLength.ts';
import { ensureClient } from '../../../db/accounts/clients.ts';
import { findProject, insertProject, listProjects } from '../../../db/accounts/projects.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { required, type Command } from './command.ts';
import type { AdminContext } from './context.ts';
import { UsageError } from './usageError.ts';

const PAGE = 200;

const addProject: Command = {
  name: 'project add',
  usage: '--title TITLE',
  about: 'creates a project and prints its id',
  options: { title: { type: 'string' } },
  async run({ pool }, values) {
    const title = required(addProject, values, 'title');
    if ([...title].length > TITLE_MAX_LENGTH)
      throw new UsageError(`--title is longer than ${TITLE_MAX_LENGTH} characters`);
    const clientId = await ensureClient(pool, title);
    const project = await insertProject(pool, { id: newTenantId(), clientId, title });
    return [`project ${project.id}`, `next: npm run admin -- key add --project ${project.id}`];
  },
};

const showProjects: Command = {
  name: 'project list',
  usage: '',
  about: 'prints id, state and title of every project',
  options: {},
  async run({ pool }) {
    const lines: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await listProjects(pool, { after, limit: PAGE });
      lines.push(...page.map(({ id, state, title }) => `${id}  ${state.padEnd(9)}  ${title}`));
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return lines.length > 0 ? lines : ['no projects yet'];
    }
  },
};

export const projectCommands: readonly Command[] = [addProject, showProjects];

/** Returns the project that `--project` names. @throws {UsageError} when it does not exist. */
export async function projectOf(
  context: AdminContext,
  command: Command,
  values: Record<string, string | undefined>,
): Promise<string> {
  const id = required(command, values, 'project');
  if ((await findProject(context.pool, id)) === null)
    throw new UsageError(`there is no project ${id}: npm run admin -- project list`);
  return id;
}
