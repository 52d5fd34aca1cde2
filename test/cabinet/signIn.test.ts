/** The ways to sign in to the cabinet and out of it. */
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { createTestUser, PASSWORD } from '../api/support/people.ts';
import { createTestProject } from '../api/support/testApi.ts';
import { enrol } from '../api/support/secondFactor.ts';
import { expectAddress, expectVisible, stageCabinet } from './support/stage.ts';

const stage = stageCabinet();
const refused = /Failed to load resource.*401/;

async function enter(page: Page, email: string, password: string): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

describe('a link', () => {
  it('signs in, and leaves its secret in neither the address nor the history', async () => {
    const user = await createTestUser(stage.database.pool, 'admin');
    const page = await stage.open('/sign-in');
    await page.goto(await stage.signInUrl(user));
    await expectVisible(page.getByRole('heading', { name: 'Your projects and sites' }));
    expect(page.url()).toBe(`${stage.url}/`);
    await expectVisible(page.getByRole('button', { name: 'Account' }).getByText(user.email));
    await page.goBack();
    expect(page.url()).not.toContain('al_');
  });

  it('is refused with a message if it has been used, and a password still signs in', async () => {
    stage.allow(refused);
    const user = await createTestUser(stage.database.pool, 'viewer');
    const url = await stage.signInUrl(user);
    const first = await stage.open('/sign-in');
    await first.goto(url);
    await expectAddress(first, `${stage.url}/`);
    const second = await stage.open('/sign-in');
    await second.goto(url);
    await expectVisible(second.getByText('This link has been used or has expired.'));
    await enter(second, user.email, PASSWORD);
    await expectAddress(second, `${stage.url}/`);
  });

  it('asks for the second factor if there is one', async () => {
    stage.allow(refused);
    const { user, authenticator } = await enrol(stage.api, stage.database.pool);
    const page = await stage.open('/sign-in');
    await page.goto(await stage.signInUrl(user));
    const code = page.getByLabel('Code from your authenticator');
    await code.fill('000000');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectVisible(page.getByText('This code is wrong or was used before.'));
    await code.fill(authenticator.code());
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectAddress(page, `${stage.url}/`);
  });
});

describe('a password', () => {
  it('leads to the requested page', async () => {
    stage.allow(refused);
    const project = await createTestProject(stage.database.pool);
    const user = await createTestUser(stage.database.pool, 'owner', { projects: [project.id] });
    const page = await stage.open(`/p/${project.id}/items?status=failed`);
    await expectAddress(page, /\/sign-in\?next=/);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expectVisible(page.getByText('This field is required.').first());
    await enter(page, user.email, 'a wrong password');
    await expectVisible(page.getByText('The e-mail or the password is wrong.'));
    await enter(page, user.email, PASSWORD);
    await expectAddress(page, `${stage.url}/p/${project.id}/items?status=failed`);
    await expectVisible(page.getByText('No items match'));
  });

  it.each(['https://elsewhere.example/', '//elsewhere.example/', '/\\elsewhere.example', 'javascript:alert(1)'])(
    'never leads to %s',
    async (next) => {
      const user = await createTestUser(stage.database.pool, 'viewer');
      const page = await stage.open(`/sign-in?next=${encodeURIComponent(next)}`);
      await enter(page, user.email, PASSWORD);
      await expectAddress(page, `${stage.url}/`);
    },
  );
});

describe('signing out', () => {
  it('ends the session, and the first page then leads to the sign-in page', async () => {
    stage.allow(refused);
    const page = await stage.open('/', await createTestUser(stage.database.pool, 'viewer'));
    await page.getByRole('button', { name: 'Account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out', exact: true }).click();
    await expectAddress(page, `${stage.url}/sign-in`);
    await page.goto(`${stage.url}/`);
    await expectAddress(page, `${stage.url}/sign-in`);
  });

  it('on all devices ends the other sessions too, and needs only the keyboard', async () => {
    stage.allow(refused);
    const user = await createTestUser(stage.database.pool, 'viewer');
    const elsewhere = await stage.open('/', user);
    const page = await stage.open('/', user);
    await page.getByRole('button', { name: 'Account' }).focus();
    await page.keyboard.press('Enter');
    const focused = page.getByRole('menuitem').and(page.locator(':focus'));
    await expectVisible(focused);
    await page.keyboard.press('End');
    await expectVisible(focused.and(page.getByText('Sign out on all devices')));
    await page.keyboard.press('Enter');
    await expectAddress(page, `${stage.url}/sign-in`);
    await elsewhere.reload();
    await expectAddress(elsewhere, `${stage.url}/sign-in`);
  });
});
