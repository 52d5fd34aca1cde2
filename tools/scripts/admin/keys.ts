/** Commands for the keys of projects. */
import {
  insertProjectKey,
  listProjectKeys,
  revokeProjectKey,
  type StoredKey,
} from '../../../db/accounts/projectKeys.ts';
import { newKey, storedKey } from '../../../domain/accounts/keyFormats.ts';
import { required, type Command } from './command.ts';
import { projectOf } from './projects.ts';
import { UsageError } from './usageError.ts';
import { isUuidInAnyCase } from '../../../domain/uuid.ts';

const DEFAULT_NAME = 'admin';
const PAGE = 200;

const addKey: Command = {
  name: 'key add',
  usage: '--project ID [--name NAME]',
  about: 'creates a project key and prints it, once',
  options: { project: { type: 'string' }, name: { type: 'string' } },
  async run(context, values) {
    const projectId = await projectOf(context, addKey, values);
    const key = newKey('project');
    const stored = await insertProjectKey(context.pool, projectId, {
      name: values.name?.trim() || DEFAULT_NAME,
      ...storedKey(key),
    });
    return [`id  ${stored.id}`, `key ${key}`, 'The key is not stored and cannot be shown again.'];
  },
};

const showKeys: Command = {
  name: 'key list',
  usage: '--project ID',
  about: "prints id, prefix, state and name of the project's keys",
  options: { project: { type: 'string' } },
  async run(context, values) {
    const projectId = await projectOf(context, showKeys, values);
    const lines: string[] = [];
    for (let after: string | null = null; ;) {
      const page: StoredKey[] = await listProjectKeys(context.pool, projectId, { after, limit: PAGE });
      lines.push(
        ...page.map(
          ({ id, prefix, revokedAt, name }) =>
            `${id}  ${prefix}…  ${revokedAt === null ? 'valid  ' : 'revoked'}  ${name}`,
        ),
      );
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return lines.length > 0 ? lines : ['no keys yet'];
    }
  },
};

const revokeKey: Command = {
  name: 'key revoke',
  usage: '--project ID --key KEY_ID',
  about: 'revokes a key for good; KEY_ID is in the first column of key list',
  options: { project: { type: 'string' }, key: { type: 'string' } },
  async run(context, values) {
    const projectId = await projectOf(context, revokeKey, values);
    const keyId = required(revokeKey, values, 'key');
    const known = isUuidInAnyCase(keyId) && (await revokeProjectKey(context.pool, projectId, keyId));
    if (!known)
      throw new UsageError(
        `the project has no key with the id ${keyId.slice(0, 36)}: npm run admin -- key list --project ${projectId}`,
      );
    return [`revoked ${keyId}`];
  },
};

export const keyCommands: readonly Command[] = [addKey, showKeys, revokeKey];
