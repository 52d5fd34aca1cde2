/** Users of the cabinet: inviting, changing and removing them. */
import { beforeAll, describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, type Person } from '../api/support/people.ts';
import { createTestProject, type TestProject } from '../api/support/testApi.ts';
import { createTestSite } from '../api/support/testSite.ts';
import { violationsOf } from './support/axe.ts';
import { expectAddress, expectVisible, stageCabinet } from './support/stage.ts';

const TITLE = 'Tram museum';
const stage = stageCabinet();
let project: TestProject;
let admin: Person;

beforeAll(async () => {
  project = await createTestProject(stage.database.pool);
  await stage.database.pool.query('update projects set title = $2 where id = $1', [project.id, TITLE]);
  admin = await createTestUser(stage.database.pool, 'admin');
});

async function act(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${email}` }).click();
  await page.getByRole('menuitem', { name: new RegExp(`^${action}`) }).click();
}

const secretIn = async (page: Page): Promise<string> => {
  await expectVisible(page.getByText('It is shown only once.'));
  const secret = (await page.getByRole('dialog').locator('code').textContent()) ?? '';
  await page.getByRole('button', { name: 'I have stored it' }).click();
  return secret;
};

describe('an invitation', () => {
  it('is handed over and accepted once, and the password that it sets signs in', async () => {
    stage.allow(/422|404/);
    const page = await stage.open('/', admin);
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Users' }).click();
    await page.getByRole('button', { name: 'Invite' }).click();
    const form = page.getByRole('dialog', { name: 'Invite' });
    await form.getByLabel('E-mail').fill('not an address');
    await form.getByRole('button', { name: 'Invite' }).click();
    await expectVisible(form.getByText('This is not an e-mail address.'));
    expect(await violationsOf(page)).toEqual([]);
    await form.getByLabel('E-mail').fill('Maria@example.com');
    await form.getByText(TITLE).click();
    await form.getByRole('button', { name: 'Invite' }).click();
    const address = await secretIn(page);
    await expectVisible(page.getByRole('row', { name: /maria@example.com Viewer Invited/ }));
    const maria = await stage.open('/sign-in');
    await maria.goto(address);
    await expectAddress(maria, `${stage.url}/invitation`);
    await maria.getByLabel('New password', { exact: true }).fill('staple battery horse');
    await maria.getByLabel('Repeat the new password').fill('staple battery horse');
    await maria.getByRole('button', { name: 'Set the password' }).click();
    await maria.getByRole('link', { name: 'Sign in' }).click();
    await maria.getByLabel('E-mail').fill('maria@example.com');
    await maria.getByLabel('Password').fill('staple battery horse');
    await maria.getByRole('button', { name: 'Sign in' }).click();
    await expectAddress(maria, `${stage.url}/`);
    await expectVisible(maria.getByText(project.id));
    const again = await stage.open('/sign-in');
    await again.goto(address);
    await again.getByLabel('New password', { exact: true }).fill('staple battery horse');
    await again.getByLabel('Repeat the new password').fill('staple battery horse');
    await again.getByRole('button', { name: 'Set the password' }).click();
    await expectVisible(again.getByText('This invitation has been used'));
  });

  it("by an owner can only be for viewers of the owner's projects and sites", async () => {
    stage.allow(/422/);
    const owner = await createTestUser(stage.database.pool, 'owner', { projects: [project.id] });
    const page = await stage.open('/users', owner);
    await page.getByRole('button', { name: 'Invite' }).click();
    const form = page.getByRole('dialog', { name: 'Invite' });
    await form.getByLabel('E-mail').fill('ivan@example.com');
    await expectVisible(form.getByText('Owners can only invite viewers.'));
    await form.getByRole('button', { name: 'Invite' }).click();
    await expectVisible(form.getByText('Choose a project or a site.'));
    await form.getByText(TITLE).click();
    await form.getByRole('button', { name: 'Invite' }).click();
    expect(await secretIn(page)).toMatch(/\/cabinet\/invitation#ai_[A-Za-z0-9]{40}$/);
  });
});

describe('a user', () => {
  it('is changed, blocked, unblocked, signed in by a link and deleted', async () => {
    const user = await createTestUser(stage.database.pool, 'viewer', { projects: [project.id] });
    const page = await stage.open('/users', admin);
    const row = page.getByRole('row', { name: new RegExp(user.email) });
    await act(page, user.email, 'Change role and access');
    await page.getByRole('dialog').getByRole('button', { name: /Role/ }).click();
    await page.getByRole('option', { name: 'Owner' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    expect(await secretIn(page)).toContain('/cabinet/invitation#ai_');
    await expectVisible(row.getByText('Owner', { exact: true }));
    await act(page, user.email, 'Block');
    await page.getByRole('dialog').getByRole('button', { name: 'Block' }).click();
    await expectVisible(row.getByText('Blocked'));
    await act(page, user.email, 'Unblock');
    await expectVisible(row.getByText('Active'));
    await act(page, user.email, 'Sign-in link');
    const elsewhere = await stage.open('/sign-in');
    await elsewhere.goto(await secretIn(page));
    await expectAddress(elsewhere, `${stage.url}/`);
    // The deleted user's own page would report that its requests are refused.
    await elsewhere.close();
    await act(page, user.email, 'Delete');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await row.waitFor({ state: 'detached' });
  });

  it('keeps a change that others make to the access while a site is being added', async () => {
    const { pool } = stage.database;
    const { id } = await createTestSite(pool);
    await pool.query(`update sites set title = 'Tram shop' where id = $1`, [id]);
    const user = await createTestUser(pool, 'viewer', { projects: [project.id] });
    const page = await stage.open('/users', admin);
    await act(page, user.email, 'Change role and access');
    await pool.query(`update users set projects = '{}' where id = $1`, [user.id]);
    await page.getByRole('dialog').getByText('Tram shop').click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await secretIn(page);
    const { rows } = await pool.query('select projects, sites from users where id = $1', [user.id]);
    expect(rows).toEqual([{ projects: [], sites: [id] }]);
  });

  it('does not get back a project that others withdraw while another one is being added', async () => {
    const { pool } = stage.database;
    const other = await createTestProject(pool);
    await pool.query(`update projects set title = 'Bus museum' where id = $1`, [other.id]);
    const withdrawn = await createTestProject(pool);
    const user = await createTestUser(pool, 'viewer', { projects: [project.id, withdrawn.id] });
    const page = await stage.open('/users', admin);
    await act(page, user.email, 'Change role and access');
    await pool.query('update users set projects = $2 where id = $1', [user.id, [project.id]]);
    await page.getByRole('dialog').getByText('Bus museum').click();
    await page.getByRole('dialog').getByText(TITLE).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await secretIn(page);
    const { rows } = await pool.query('select projects from users where id = $1', [user.id]);
    expect(rows).toEqual([{ projects: [other.id] }]);
  });

  it('cannot block or delete themselves, or change their own role or access', async () => {
    const page = await stage.open('/users', admin);
    await page.getByRole('button', { name: `Actions for ${admin.email}` }).click();
    for (const action of ['Change role and access', 'Block', 'Delete']) {
      const item = page.getByRole('menuitem', { name: action });
      expect(await item.getAttribute('aria-disabled')).toBe('true');
    }
  });
});
