/** Commands for sites. */
import { TITLE_MAX_LENGTH } from '../../../domain/accounts/titleLength.ts';
import { ensureClient } from '../../../db/accounts/clients.ts';
import { inTransaction } from '../../../db/pool.ts';
import { addSiteKey } from '../../../db/sites/siteKeys.ts';
import { findSite, insertSite, listSites } from '../../../db/sites/sites.ts';
import { newSiteKey } from '../../../domain/accounts/keyFormats.ts';
import { newTenantId } from '../../../domain/accounts/tenantIds.ts';
import { MAX_HOSTS, normaliseHost } from '../../../domain/sites/hosts.ts';
import { isTimeZone } from '../../../domain/timeZones.ts';
import { required, type Command, type Values } from './command.ts';
import type { AdminContext } from './context.ts';
import { UsageError } from './usageError.ts';

const PAGE = 200;
const DEFAULT_TIMEZONE = 'Europe/Moscow';
const DEFAULT_CURRENCY = 'RUB';

const addSite: Command = {
  name: 'site add',
  usage: '--title TITLE --hosts HOST,HOST [--timezone ZONE] [--currency CODE]',
  about: `creates a site with a tag key and prints both; a host is written example.com, *.example.com or *; zone and currency default to ${DEFAULT_TIMEZONE} and ${DEFAULT_CURRENCY}`,
  options: {
    title: { type: 'string' },
    hosts: { type: 'string' },
    timezone: { type: 'string' },
    currency: { type: 'string' },
  },
  async run({ pool }, values) {
    const title = required(addSite, values, 'title');
    if ([...title].length > TITLE_MAX_LENGTH)
      throw new UsageError(`--title is longer than ${TITLE_MAX_LENGTH} characters`);
    const site = {
      id: newTenantId(),
      title,
      hosts: readHosts(values),
      timezone: readTimezone(values),
      currency: readCurrency(values),
    };
    const { key, stored } = newSiteKey('tag', 'admin');
    await inTransaction(pool, async (client) => {
      await insertSite(client, { ...site, clientId: await ensureClient(client, title) });
      await addSiteKey(client, site.id, stored);
    });
    return [`site ${site.id}`, `tag  ${key}`, `next: npm run admin -- site-key add --site ${site.id}`];
  },
};

const showSites: Command = {
  name: 'site list',
  usage: '',
  about: 'prints id, state, title and hosts of every site',
  options: {},
  async run({ pool }) {
    const lines: string[] = [];
    for (let after: string | null = null; ;) {
      const page = await listSites(pool, { after, limit: PAGE });
      lines.push(
        ...page.map(({ id, state, title, hosts }) => `${id}  ${state.padEnd(7)}  ${title}  ${hosts.join(',')}`),
      );
      after = page.at(-1)?.id ?? null;
      if (page.length < PAGE) return lines.length > 0 ? lines : ['no sites yet'];
    }
  },
};

export const siteCommands: readonly Command[] = [addSite, showSites];

/** Returns the site that `--site` names. @throws {UsageError} when it does not exist. */
export async function siteOf(context: AdminContext, command: Command, values: Values): Promise<string> {
  const id = required(command, values, 'site');
  if ((await findSite(context.pool, id)) === null)
    throw new UsageError(`there is no site ${id}: npm run admin -- site list`);
  return id;
}

function readHosts(values: Values): string[] {
  const given = required(addSite, values, 'hosts')
    .split(',')
    .map((host) => host.trim())
    .filter((host) => host !== '');
  if (given.length === 0 || given.length > MAX_HOSTS)
    throw new UsageError(`--hosts names ${given.length} hosts: give 1 to ${MAX_HOSTS}`);
  const hosts = given.map((host) => {
    const name = normaliseHost(host);
    if (name === null)
      throw new UsageError(`--hosts "${host}" is not a host name such as example.com or *.example.com, nor *`);
    return name;
  });
  return [...new Set(hosts)];
}

function readTimezone({ timezone = DEFAULT_TIMEZONE }: Values): string {
  if (!isTimeZone(timezone))
    throw new UsageError(`--timezone "${timezone}" is not the name of a time zone such as ${DEFAULT_TIMEZONE}`);
  return timezone;
}

function readCurrency({ currency = DEFAULT_CURRENCY }: Values): string {
  if (!/^[A-Z]{3}$/.test(currency))
    throw new UsageError(`--currency "${currency}" is not a currency code such as ${DEFAULT_CURRENCY}`);
  return currency;
}
