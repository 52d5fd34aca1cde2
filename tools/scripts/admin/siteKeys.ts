/** Commands for the keys of sites. */
import {
  insertSiteKey,
  listSiteKeys,
  revokeSiteKey,
  type SiteKeyKind,
  type StoredSiteKey,
} from '../../../db/sites/siteKeys.ts';
import { newSiteKey } from '../../../domain/accounts/keyFormats.ts';
import { required, type Command } from './command.ts';
import { siteOf } from './sites.ts';
import { UsageError } from './usageError.ts';
import { isUuidInAnyCase } from '../../../domain/uuid.ts';

const DEFAULT_NAME = 'admin';
const KINDS = ['api', 'tag'] as const;
const PAGE = 200;

const addKey: Command = {
  name: 'site-key add',
  usage: `--site ID [--kind ${KINDS.join('|')}] [--name NAME]`,
  about:
    'creates a key of a site and prints it; kind api (the default) is for servers and shown once, kind tag is for pages',
  options: { site: { type: 'string' }, kind: { type: 'string' }, name: { type: 'string' } },
  async run(context, values) {
    const siteId = await siteOf(context, addKey, values);
    const kind = readKind(values.kind);
    const { key, stored } = newSiteKey(kind, values.name?.trim() || DEFAULT_NAME);
    const { id } = await insertSiteKey(context.pool, siteId, stored);
    return [`id  ${id}`, `key ${key}`, ...(kind === 'api' ? ['The key is not stored and cannot be shown again.'] : [])];
  },
};

const showKeys: Command = {
  name: 'site-key list',
  usage: '--site ID',
  about: "prints id, kind, prefix or public key, state and name of the site's keys",
  options: { site: { type: 'string' } },
  async run(context, values) {
    const siteId = await siteOf(context, showKeys, values);
    const lines: string[] = [];
    for (let after: string | null = null; ;) {
      const page: StoredSiteKey[] = await listSiteKeys(context.pool, siteId, { after, limit: PAGE });
      lines.push(...page.map(lineOf));
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return lines.length > 0 ? lines : ['no keys yet'];
    }
  },
};

const revokeKey: Command = {
  name: 'site-key revoke',
  usage: '--site ID --key KEY_ID',
  about: 'revokes a key for good; KEY_ID is in the first column of site-key list',
  options: { site: { type: 'string' }, key: { type: 'string' } },
  async run(context, values) {
    const siteId = await siteOf(context, revokeKey, values);
    const keyId = required(revokeKey, values, 'key');
    const known = isUuidInAnyCase(keyId) && (await revokeSiteKey(context.pool, siteId, keyId));
    if (!known)
      throw new UsageError(
        `the site has no key with the id ${keyId.slice(0, 36)}: npm run admin -- site-key list --site ${siteId}`,
      );
    return [`revoked ${keyId}`];
  },
};

export const siteKeyCommands: readonly Command[] = [addKey, showKeys, revokeKey];

function readKind(text = 'api'): SiteKeyKind {
  const kind = KINDS.find((known) => known === text);
  if (kind === undefined) throw new UsageError(`--kind "${text}" is not one of ${KINDS.join(', ')}`);
  return kind;
}

function lineOf({ id, kind, prefix, publicKey, revokedAt, name }: StoredSiteKey): string {
  return `${id}  ${kind}  ${publicKey ?? `${prefix}…`}  ${revokedAt === null ? 'valid  ' : 'revoked'}  ${name}`;
}
