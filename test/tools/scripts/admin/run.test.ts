import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../../config.ts';
import { findTokenOwner } from '../../../../db/accounts/cabinetTokens.ts';
import { findKeyOwner } from '../../../../db/accounts/projectKeys.ts';
import { findUserByEmail } from '../../../../db/accounts/accounts.ts';
import { findSignInUser } from '../../../../db/accounts/signInLinks.ts';
import { keyHash } from '../../../../domain/accounts/keyFormats.ts';
import { takeToken } from '../../../../db/installation/rateLimitCounters.ts';
import { loginBucket } from '../../../../domain/accounts/passwords.ts';
import { createPasswordHasher } from '../../../../platform/process/passwordHasher.ts';
import {
  decryptSigningSecret,
  signingSecretKeys,
  webhookSecretContext,
} from '../../../../domain/accounts/secretKeys.ts';
import { runAdmin, type Outcome } from '../../../../tools/scripts/admin/run.ts';
import { createTestDatabase, type TestDatabase } from '../../../support/database.ts';

const SECRET_KEY = 'a secret key of thirty-two letters';
const UNKNOWN_ID = '01912345-0000-7000-8000-000000000000';

describe('the admin command', () => {
  let database: TestDatabase;
  const admin = (...args: string[]): Promise<Outcome> =>
    runAdmin(args, { DATABASE_URL: database.url, SECRET_KEY, REQUIRE_HTTPS: 'false' });
  const field = (outcome: Outcome, name: string): string =>
    outcome.lines
      .find((line) => line.startsWith(`${name} `))
      ?.slice(name.length)
      .trim() ?? '';

  beforeAll(async () => {
    database = await createTestDatabase();
  });

  afterAll(() => database.drop());

  async function newProject(title = 'Shop'): Promise<string> {
    return field(await admin('project', 'add', '--title', title), 'project');
  }

  it('makes projects of one client and lists them', async () => {
    const [shop, blog] = [await newProject('Shop'), await newProject('Блог')];
    expect(shop).toMatch(/^[a-z0-9]{12}$/);
    const { lines } = await admin('project', 'list');
    expect(lines).toContain(`${shop}  active     Shop`);
    expect(lines).toContain(`${blog}  active     Блог`);
    const { rows } = await database.pool.query('select count(*)::int as clients from clients');
    expect(rows).toEqual([{ clients: 1 }]);
  });

  it('makes a project called help', async () => {
    const { lines } = await admin('project', 'list');
    const id = await newProject('help');
    expect(lines).not.toContain(`${id}  active     help`);
    expect((await admin('project', 'list')).lines).toContain(`${id}  active     help`);
  });

  it('makes a key that opens its project, and revokes it', async () => {
    const project = await newProject();
    const added = await admin('key', 'add', '--project', project, '--name', 'site');
    const [id, key] = [field(added, 'id'), field(added, 'key')];
    expect(key).toMatch(/^ck_[A-Za-z0-9]{40}$/);
    expect(await findKeyOwner(database.pool, keyHash(key))).toMatchObject({
      projectId: project,
      keyId: id,
      isRevoked: false,
    });
    expect((await admin('key', 'list', '--project', project)).lines).toEqual([
      `${id}  ${key.slice(0, 8)}…  valid    site`,
    ]);
    expect(await admin('key', 'revoke', '--project', project, '--key', id)).toEqual({
      code: 0,
      lines: [`revoked ${id}`],
    });
    expect(await findKeyOwner(database.pool, keyHash(key))).toMatchObject({ isRevoked: true });
    expect((await admin('key', 'list', '--project', project)).lines).toEqual([
      `${id}  ${key.slice(0, 8)}…  revoked  site`,
    ]);
  });

  it('makes a cabinet token for an administrator unless another role is given', async () => {
    for (const [args, role] of [
      [[], 'admin'],
      [['--role', 'viewer'], 'viewer'],
    ] as const) {
      const token = field(await admin('token', 'add', ...args), 'token');
      expect(token).toMatch(/^at_[A-Za-z0-9]{40}$/);
      expect(await findTokenOwner(database.pool, keyHash(token))).toMatchObject({ role });
    }
  });

  it('prints an address that signs a user in, if the address of the installation is known', async () => {
    await admin('user', 'add', '--email', 'link@example.com', '--role', 'viewer');
    const { lines } = await runAdmin(['user', 'link', '--email', 'link@example.com'], {
      DATABASE_URL: database.url,
      PUBLIC_URL: 'https://attune.example/',
    });
    expect(lines).toEqual([expect.stringMatching(/^https:\/\/attune\.example\/cabinet\/sign-in#al_\w{40}$/)]);
    const secret = lines[0]?.split('#')[1] ?? '';
    expect(await findSignInUser(database.pool, keyHash(secret))).toMatchObject({ email: 'link@example.com' });
    expect(await admin('user', 'link', '--email', 'link@example.com')).toEqual({
      code: 2,
      lines: ['PUBLIC_URL is not set: the link begins with it'],
    });
  });

  it('reads its settings from files, like the processes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'attune-admin-'));
    const [databaseFile, publicFile] = [join(folder, 'database'), join(folder, 'public')];
    await writeFile(databaseFile, `${database.url}\n`);
    await writeFile(publicFile, 'https://attune.example/\n');
    await admin('user', 'add', '--email', 'file@example.com', '--role', 'viewer');
    const link = ['user', 'link', '--email', 'file@example.com'];
    const env = { DATABASE_URL_FILE: databaseFile, PUBLIC_URL_FILE: publicFile };
    expect(await runAdmin(link, env)).toEqual({
      code: 0,
      lines: [expect.stringMatching(/^https:\/\/attune\.example\/cabinet\/sign-in#al_\w{40}$/)],
    });
    await rm(folder, { recursive: true });
    expect(await runAdmin(link, env)).toEqual({
      code: 2,
      lines: [`DATABASE_URL_FILE="${databaseFile}" cannot be read (ENOENT)`],
    });
  });

  it.each([
    [['project', 'add'], '--title is missing: write project add --title TITLE'],
    [['project', 'add', '--titel', 'x'], `Unknown option '--titel': write project add --title TITLE`],
    [['project', 'remove'], 'there is no command "project remove": npm run admin -- help'],
    [['key', 'add', '--project', 'nobody'], 'there is no project nobody: npm run admin -- project list'],
    [['token', 'add', '--role', 'king'], '--role "king" is not one of admin, owner, viewer'],
  ])('answers %j with the fault and how to fix it', async (args, message) => {
    expect(await admin(...args)).toEqual({ code: 2, lines: [message] });
  });

  it.each(['nonsense', UNKNOWN_ID])('does not revoke the key %s, which the project does not have', async (key) => {
    const project = await newProject();
    expect(await admin('key', 'revoke', '--project', project, '--key', key)).toEqual({
      code: 2,
      lines: [`the project has no key with the id ${key}: npm run admin -- key list --project ${project}`],
    });
  });

  it('does not revoke a key through another project', async () => {
    const [mine, other] = [await newProject(), await newProject()];
    const id = field(await admin('key', 'add', '--project', mine), 'id');
    expect((await admin('key', 'revoke', '--project', other, '--key', id)).code).toBe(2);
  });

  it('lists and revokes the tokens of the installation', async () => {
    const id = field(await admin('token', 'add', '--name', 'CI'), 'id');
    expect((await admin('token', 'list')).lines).toContainEqual(
      expect.stringMatching(new RegExp(`^${id}  at_.{5}…  valid    CI$`)),
    );
    expect((await admin('token', 'revoke', '--token', id)).lines).toEqual([`revoked ${id}`]);
    expect((await admin('token', 'list')).lines).toContainEqual(
      expect.stringMatching(new RegExp(`^${id}  at_.{5}…  revoked  CI$`)),
    );
    expect((await admin('token', 'revoke', '--token', UNKNOWN_ID)).code).toBe(2);
  });

  describe('users', () => {
    const opens = async (email: string, password: string): Promise<boolean> =>
      createPasswordHasher().verify(password, (await findUserByEmail(database.pool, email))?.passwordHash ?? null);
    const addAdmin = (...more: string[]): Promise<Outcome> => admin('user', 'add', '--role', 'admin', ...more);
    const withInput = (input: string, ...args: string[]): Promise<Outcome> =>
      runAdmin(args, { DATABASE_URL: database.url }, () => Promise.resolve(input));

    it('are added with a new password, which is printed and works', async () => {
      const added = await addAdmin('--email', 'Anna@Example.com');
      expect(field(added, 'password')).toMatch(/^[A-Za-z0-9]{24}$/);
      expect(await findUserByEmail(database.pool, 'anna@example.com')).toMatchObject({
        id: field(added, 'id'),
        role: 'admin',
        state: 'active',
      });
      expect(await opens('anna@example.com', field(added, 'password'))).toBe(true);
      expect((await admin('user', 'list')).lines).toContain(`${field(added, 'id')}  admin   active   anna@example.com`);
    });

    it('are added with a password from the standard input, which is not printed', async () => {
      const added = await withInput(
        'from standard input\n',
        'user',
        'add',
        '--email',
        'in@example.com',
        '--role',
        'viewer',
        '--password',
        '-',
      );
      expect(added.code).toBe(0);
      expect(added.lines.join()).not.toContain('from standard');
      expect(await opens('in@example.com', 'from standard input')).toBe(true);
    });

    it('can be owners of named projects', async () => {
      const project = await newProject();
      await admin('user', 'add', '--email', 'owner@example.com', '--role', 'owner', '--projects', project);
      expect(await findUserByEmail(database.pool, 'owner@example.com')).toMatchObject({
        role: 'owner',
        projects: [project],
      });
    });

    it('get a new password, which ends sessions, a block and the wait after too many attempts', async () => {
      await addAdmin('--email', 'lost@example.com');
      const once = { capacity: 1, perSecond: 0.001 };
      for (let tries = 0; tries < 2; tries += 1) await takeToken(database.pool, loginBucket('lost@example.com'), once);
      await database.pool.query(`update users set state = 'blocked' where email = 'lost@example.com'`);
      await database.pool.query(
        `insert into sessions (hash, user_id) select sha256('x'), id from users where email = 'lost@example.com'`,
      );
      const { lines } = await admin('user', 'password', '--email', 'lost@example.com');
      expect(await opens('lost@example.com', lines.find((line) => line.startsWith('password '))?.slice(9) ?? '')).toBe(
        true,
      );
      expect(await findUserByEmail(database.pool, 'lost@example.com')).toMatchObject({ state: 'active' });
      expect((await database.pool.query(`select from sessions where hash = sha256('x')`)).rowCount).toBe(0);
      expect(await takeToken(database.pool, loginBucket('lost@example.com'), once)).toBe(0);
    });

    it('are removed', async () => {
      await addAdmin('--email', 'gone@example.com');
      expect(await admin('user', 'remove', '--email', 'gone@example.com')).toEqual({
        code: 0,
        lines: ['removed gone@example.com'],
      });
      expect(await findUserByEmail(database.pool, 'gone@example.com')).toBeNull();
    });

    it.each([
      [['user', 'add', '--email', 'nobody', '--role', 'admin'], /^--email "nobody" is not an address/],
      [['user', 'add', '--email', 'a@example.com'], /^--role is missing: write user add/],
      [
        ['user', 'add', '--email', 'a@example.com', '--role', 'king'],
        /^--role "king" is not one of admin, owner, viewer$/,
      ],
      [
        ['user', 'add', '--email', 'a@example.com', '--role', 'owner', '--projects', 'zzzzzzzzzzzz'],
        /^there is no project zzzzzzzzzzzz/,
      ],
      [
        ['user', 'add', '--email', 'a@example.com', '--role', 'admin', '--password', 'seen by all'],
        /^a password must not be on the command line/,
      ],
      [
        ['user', 'add', '--email', 'a@example.com', '--role', 'admin', '--password', '-'],
        /^the password has 0 characters: it needs 8 to 256$/,
      ],
      [['user', 'password', '--email', 'unknown@example.com'], /^there is no user unknown@example.com/],
      [['user', 'remove', '--email', 'unknown@example.com'], /^there is no user unknown@example.com/],
    ])('are not changed by %j', async (args, message) => {
      expect(await admin(...args)).toEqual({ code: 2, lines: [expect.stringMatching(message)] });
      expect(await findUserByEmail(database.pool, 'a@example.com')).toBeNull();
    });

    it('cannot share an e-mail address, whatever its case', async () => {
      await addAdmin('--email', 'twice@example.com');
      expect(await addAdmin('--email', 'TWICE@example.com')).toEqual({
        code: 2,
        lines: [expect.stringMatching(/^the user twice@example.com exists already/)],
      });
    });
  });

  describe('webhooks', () => {
    let project: string;
    const add = (...args: string[]): Promise<Outcome> => admin('webhook', 'add', '--project', project, ...args);

    beforeEach(async () => {
      project = await newProject();
    });

    it('are added with a secret that the services can read', async () => {
      const added = await add('--url', 'https://hooks.example.com/a?b=1');
      expect(added.code).toBe(0);
      const secret = field(added, 'secret');
      expect(secret).toMatch(/^whsec_[A-Za-z0-9]{40}$/);
      const { rows } = await database.pool.query<{ id: string; secret: Buffer }>(
        'select id, secret from webhooks where project_id = $1',
        [project],
      );
      const keys = signingSecretKeys(
        loadConfig({ DATABASE_URL: database.url, SECRET_KEY, REQUIRE_HTTPS: 'false' }).secretKey,
      );
      expect(rows.map((row) => decryptSigningSecret(keys, row.secret, webhookSecretContext(project, row.id)))).toEqual([
        { text: secret, isUnbound: false },
      ]);
    });

    it('are listed with their events', async () => {
      const both = field(await add('--url', 'https://a.example.com/'), 'id');
      const one = field(await add('--url', 'https://b.example.com/', '--events', 'item.failed'), 'id');
      expect((await admin('webhook', 'list', '--project', project)).lines).toEqual([
        `${both}  enabled   item.processed,item.failed  https://a.example.com/`,
        `${one}  enabled   item.failed  https://b.example.com/`,
      ]);
    });

    it.each([
      [['--url', 'http://hooks.example.com/'], /^--url is not an address that webhooks can go to: https/],
      [['--url', 'https://127.0.0.1/'], /^--url leads to an internal address/],
      [
        ['--url', 'https://a.example.com/', '--events', 'item.born'],
        /^--events "item.born" is not one of item.processed, item.failed$/,
      ],
      [['--url', 'https://a.example.com/', '--events', ','], /^--events is empty/],
      [[], /^--url is missing/],
    ])('are not added with %j', async (args, message) => {
      const { code, lines } = await add(...args);
      expect(code).toBe(2);
      expect(lines).toEqual([expect.stringMatching(message)]);
      expect((await admin('webhook', 'list', '--project', project)).lines).toEqual(['no webhooks yet']);
    });

    it('are at most five', async () => {
      for (let number = 1; number <= 5; number += 1)
        expect((await add('--url', `https://h${number}.example.com/`)).code).toBe(0);
      expect(await add('--url', 'https://h6.example.com/')).toEqual({
        code: 2,
        lines: [expect.stringMatching(/^the project has 5 webhooks/)],
      });
    });

    it('need the key that encrypts their secrets', async () => {
      const { code, lines } = await runAdmin(
        ['webhook', 'add', '--project', project, '--url', 'https://a.example.com/'],
        { DATABASE_URL: database.url },
      );
      expect(code).toBe(1);
      expect(lines.join(' ')).toContain('SECRET_KEY is not set');
    });
  });

  it('names every command in its help', async () => {
    const { code, lines } = await admin('help');
    expect(code).toBe(0);
    for (const name of [
      'project add',
      'project list',
      'key add',
      'key list',
      'key revoke',
      'user add',
      'user list',
      'user password',
      'user remove',
      'token add',
      'token list',
      'token revoke',
      'webhook add',
      'webhook list',
    ]) {
      expect(lines.some((line) => line.trim().startsWith(name))).toBe(true);
    }
    expect(await runAdmin(['key', '--help'], {})).toEqual({ code: 0, lines });
  });

  describe('with no DATABASE_URL', () => {
    let dataDir: string;

    beforeAll(async () => {
      dataDir = await mkdtemp(join(tmpdir(), 'attune-admin-'));
    });

    afterAll(() => rm(dataDir, { recursive: true, force: true }));

    it('says that no stack runs', async () => {
      const { code, lines } = await runAdmin(['project', 'list'], { ATTUNE_DATA_DIR: dataDir });
      expect(code).toBe(2);
      expect(lines[0]).toMatch(new RegExp(`^no stack runs on ${dataDir}: run npm start first`));
    });

    it('uses the database of the running stack', async () => {
      await writeFile(
        join(dataDir, 'dev.json'),
        JSON.stringify({ database_url: database.url, cabinet_url: 'http://127.0.0.1:8080/cabinet' }),
      );
      const project = await newProject('Found through dev.json');
      expect((await runAdmin(['project', 'list'], { ATTUNE_DATA_DIR: dataDir })).lines).toContain(
        `${project}  active     Found through dev.json`,
      );
    });
  });

  it('names a database that does not answer, without its password', async () => {
    const { code, lines } = await runAdmin(['project', 'list'], {
      DATABASE_URL: 'postgres://attune:hunter2@127.0.0.1:1/attune',
    });
    expect(code).toBe(1);
    expect(lines.join(' ')).toContain('ECONNREFUSED 127.0.0.1:1');
    expect(lines.join(' ')).not.toContain('hunter2');
  });
});
