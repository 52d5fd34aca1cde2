import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { findUserByEmail } from '../../../../db/accounts/accounts.ts';
import { findApiKeySite, findTagKeySite } from '../../../../db/sites/siteSettings.ts';
import { keyHash } from '../../../../domain/accounts/keyFormats.ts';
import { runAdmin, type Outcome } from '../../../../tools/scripts/admin/run.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

const UNKNOWN_ID = '01912345-0000-7000-8000-000000000000';

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});

afterAll(async () => {
  await database?.drop();
});

const admin = (...args: string[]): Promise<Outcome> => runAdmin(args, { DATABASE_URL: database.url });
const field = (outcome: Outcome, name: string): string =>
  outcome.lines
    .find((line) => line.startsWith(`${name} `))
    ?.slice(name.length)
    .trim() ?? '';
const addSite = (): Promise<Outcome> => admin('site', 'add', '--title', 'Shop', '--hosts', 'Shop.test, *.shop.test');

describe('sites in the admin command', () => {
  it('are made with a tag key that works, and listed', async () => {
    const added = await addSite();
    const id = field(added, 'site');
    expect(await findTagKeySite(database.pool, keyHash(field(added, 'tag')))).toMatchObject({
      siteId: id,
      access: 'open',
      hosts: ['shop.test', '*.shop.test'],
      timezone: 'Europe/Moscow',
      currency: 'RUB',
    });
    expect((await admin('site', 'list')).lines).toContain(`${id}  active   Shop  shop.test,*.shop.test`);
  });

  it('get keys of both kinds, which are listed and revoked', async () => {
    const made = await addSite();
    const id = field(made, 'site');
    const secret = await admin('site-key', 'add', '--site', id, '--name', 'server');
    const [keyId, key] = [field(secret, 'id'), field(secret, 'key')];
    expect(await findApiKeySite(database.pool, keyHash(key))).toMatchObject({ keyId, settings: { siteId: id } });
    const open = await admin('site-key', 'add', '--site', id, '--kind', 'tag');
    expect(await findTagKeySite(database.pool, keyHash(field(open, 'key')))).toMatchObject({ siteId: id });
    expect((await admin('site-key', 'revoke', '--site', id, '--key', keyId)).lines).toEqual([`revoked ${keyId}`]);
    expect(await findApiKeySite(database.pool, keyHash(key))).toBeNull();
    const { lines } = await admin('site-key', 'list', '--site', id);
    expect(lines.slice(1)).toEqual([
      `${keyId}  api  ${key.slice(0, 8)}…  revoked  server`,
      `${field(open, 'id')}  tag  ${field(open, 'key')}  valid    admin`,
    ]);
    expect(lines[0]).toMatch(new RegExp(`  tag  ${field(made, 'tag')}  valid    admin$`));
  });

  it('can belong to an owner', async () => {
    const id = field(await addSite(), 'site');
    await admin('user', 'add', '--email', 'owner@example.com', '--role', 'owner', '--sites', id);
    expect(await findUserByEmail(database.pool, 'owner@example.com')).toMatchObject({
      role: 'owner',
      projects: [],
      sites: [id],
    });
  });

  it.each<[string[], RegExp]>([
    [['site', 'add', '--hosts', '*'], /^--title is missing: write site add --title TITLE/],
    [['site', 'add', '--title', 'x'], /^--hosts is missing/],
    [['site', 'add', '--title', 'x', '--hosts', 'https://a.test'], /^--hosts "https:\/\/a.test" is not a host name/],
    [['site', 'add', '--title', 'x', '--hosts', ','], /^--hosts names 0 hosts: give 1 to 100$/],
    [
      ['site', 'add', '--title', 'x', '--hosts', '*', '--timezone', 'Moscow'],
      /^--timezone "Moscow" is not the name of a time zone/,
    ],
    [['site', 'add', '--title', 'x', '--hosts', '*', '--currency', 'rub'], /^--currency "rub" is not a currency code/],
    [['site-key', 'add', '--site', 'nobody'], /^there is no site nobody: npm run admin -- site list$/],
    [
      ['user', 'add', '--email', 'a@example.com', '--role', 'owner', '--sites', 'zzzzzzzzzzzz'],
      /^there is no site zzzzzzzzzzzz/,
    ],
  ])('report what is wrong with %j', async (args, message) => {
    expect(await admin(...args)).toEqual({ code: 2, lines: [expect.stringMatching(message)] });
  });

  it('have no keys of an unknown kind, and revoke only their own', async () => {
    const [id, other] = [field(await addSite(), 'site'), field(await addSite(), 'site')];
    expect(await admin('site-key', 'add', '--site', id, '--kind', 'king')).toEqual({
      code: 2,
      lines: ['--kind "king" is not one of api, tag'],
    });
    const keyId = field(await admin('site-key', 'add', '--site', id), 'id');
    for (const key of [UNKNOWN_ID, 'nonsense'])
      expect((await admin('site-key', 'revoke', '--site', id, '--key', key)).code).toBe(2);
    expect((await admin('site-key', 'revoke', '--site', other, '--key', keyId)).code).toBe(2);
  });

  it('are in the help', async () => {
    const { lines } = await admin('help');
    for (const name of ['site add', 'site list', 'site-key add', 'site-key list', 'site-key revoke'])
      expect(lines.some((line) => line.trim().startsWith(name))).toBe(true);
  });
});
