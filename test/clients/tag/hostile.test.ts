/** Pages and browsers on which the tag must work, or at least do no harm. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { BrowserContext, Page } from 'playwright-core';
import { TAG_DIST } from '../../../tools/scripts/tag/build.ts';
import { snippet, TAG_KEY } from './support/site.ts';
import { inPage, stageTag } from './support/stage.ts';

const stage = stageTag({ isHurried: true });

/** Opens a page in which a script runs before any other, for example to make denied features throw. */
async function openWith(script: string, path: string, context: BrowserContext = stage.context): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(script);
  await page.goto(stage.site.url(path));
  await page.waitForFunction('window.svc && window.svc.on');
  return page;
}

const NO_COOKIES = "Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });";
const throwing = (name: string): string =>
  `Object.defineProperty(window, '${name}', { get() { throw new DOMException('denied', 'SecurityError') } });`;

describe('a Content-Security-Policy', () => {
  const policies = {
    'of addresses': (): string =>
      `default-src 'none'; script-src ${stage.collector.origin}; connect-src ${stage.collector.origin}`,
    'of nonces': (): string =>
      `default-src 'none'; script-src 'nonce-abc' 'strict-dynamic'; connect-src ${stage.collector.origin}; require-trusted-types-for 'script'`,
  };

  it.each(Object.entries(policies))(
    '%s allows a tag whose key is in data-key, and reports no violation',
    async (name, policy) => {
      const nonce = name === 'of nonces' ? ' nonce="abc"' : '';
      stage.site.pages.set('/strict', {
        head: `<script async${nonce} src="${stage.collector.origin}/tag.js" data-key="${TAG_KEY}"></script>`,
        headers: { 'Content-Security-Policy': `${policy()}; report-to none` },
        body: '<form id="f"><button>b</button></form>',
      });
      const page = await stage.context.newPage();
      const violations: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') violations.push(message.text());
      });
      await page.goto(stage.site.url('/strict'));
      await stage.collector.event('pageview');
      await page.click('button');
      await stage.collector.event('click');
      expect(violations.filter((text) => /Content Security|Trusted/i.test(text))).toEqual([]);
      expect(stage.faults).toEqual([]);
    },
  );
});

describe('the storage of a visitor', () => {
  it('without cookies, the visitor is known only for the session of the tab', async () => {
    const page = await openWith(NO_COOKIES, '/cookieless');
    await stage.collector.event('pageview');
    await page.goto(stage.site.url('/cookieless-next'));
    await stage.collector.event('pageview', 2);
    const visitors = new Set(stage.collector.batches.map(({ visitor_id }) => visitor_id));
    expect(visitors.size).toBe(1);
    expect(await inPage(page, 'Object.keys(localStorage)')).toEqual([]);
    await openWith(NO_COOKIES, '/cookieless-tab');
    await stage.collector.event('pageview', 3);
    expect(new Set(stage.collector.batches.map(({ visitor_id }) => visitor_id)).size).toBe(2);
  });

  it.each([
    ['no storage at all', NO_COOKIES + throwing('localStorage') + throwing('sessionStorage')],
    [
      'cookies that throw',
      "Object.defineProperty(Document.prototype, 'cookie', { get() { throw new DOMException('x', 'SecurityError') }, set() { throw new DOMException('x', 'SecurityError') } });",
    ],
    ['localStorage that throws', throwing('localStorage')],
    [
      'localStorage without room',
      "Storage.prototype.setItem = function () { throw new DOMException('full', 'QuotaExceededError') };",
    ],
    ['localStorage that is null', "Object.defineProperty(window, 'localStorage', { value: null });"],
  ])('%s: hits are sent, and a failed request is sent again', async (_name, script) => {
    stage.collector.answers.push({ status: 500 });
    const page = await openWith(script, '/denied');
    await inPage(page, "svc('event', 'still')");
    await stage.collector.event('event');
    expect(
      stage.collector
        .events()
        .map(({ type }) => type)
        .sort(),
    ).toEqual(['event', 'pageview']);
    expect(new Set(stage.collector.batches.map(({ visitor_id }) => visitor_id)).size).toBe(1);
    expect(stage.faults).toEqual([]);
  });

  it('a private window is a separate visitor, and a sandboxed frame does no harm', async () => {
    await stage.open('/ordinary');
    await stage.collector.event('pageview');
    const other = await stage.browser.newContext(); // like a private window
    await openWith('', '/private', other);
    await stage.collector.event('pageview', 2);
    await other.close();
    expect(new Set(stage.collector.batches.map(({ visitor_id }) => visitor_id)).size).toBe(2);
    stage.site.pages.set('/outer', {
      head: '<title>outer</title>',
      body: `<iframe sandbox="allow-scripts" src="/inner"></iframe>`,
    });
    const page = await stage.context.newPage();
    await page.goto(stage.site.url('/outer'));
    await stage.collector.event('pageview', 3);
    expect(stage.faults).toEqual([]);
  });

  it('a malformed cookie is replaced, and a valid one is kept and renewed', async () => {
    const cookie = (value: string) => ({
      name: '_svc_a',
      value,
      url: stage.site.url('/'),
      expires: Math.round(Date.now() / 1000) + 1000,
    });
    await stage.context.addCookies([cookie('<script>')]);
    await stage.open('/bad-cookie');
    await stage.collector.event('pageview');
    const id = '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e';
    await stage.context.clearCookies();
    await stage.context.addCookies(
      [{ ...cookie(id), url: '', domain: '.shop.example', path: '/' }].map(({ url: _url, ...rest }) => rest),
    );
    await stage.open('/good-cookie');
    await stage.collector.event('pageview', 2);
    const [bad, good] = stage.collector.batches.filter(({ events }) => events.some(({ type }) => type === 'pageview'));
    expect(bad?.visitor_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(good?.visitor_id).toBe(id);
    const [renewed] = await stage.context.cookies();
    expect(Number(renewed?.expires)).toBeGreaterThan(Date.now() / 1000 + 390 * 86_400);
  });

  it('a cookie that another tab or the site has replaced is not overwritten by the next page view', async () => {
    const page = await stage.open('/two-tabs');
    await stage.collector.event('pageview');
    const id = '6f1c2a7e-0b5d-4c55-9d0e-8a3f2b1c4d5e';
    await inPage(page, `document.cookie = '_svc_a=${id}; Path=/; Domain=shop.example; Max-Age=1000'`);
    await inPage(page, "history.pushState({}, '', '/two-tabs/next')");
    await stage.collector.event('pageview', 2);
    expect(stage.collector.batches.at(-1)?.visitor_id).toBe(id);
    const [cookie] = await stage.context.cookies();
    expect(cookie?.value).toBe(id);
    expect(Number(cookie?.expires)).toBeGreaterThan(Date.now() / 1000 + 390 * 86_400);
  });

  it.each([
    ['www.shop.co.uk', '.shop.co.uk'],
    ['a.b.shop.example', '.shop.example'],
    ['localhost', 'localhost'],
    ['127.0.0.1', '127.0.0.1'],
  ])('on %s the domain of the cookie is %s', async (host, domain) => {
    const page = await stage.context.newPage();
    await page.goto(stage.site.url('/', host));
    await stage.collector.event('pageview');
    expect((await stage.context.cookies()).map((cookie) => [cookie.name, cookie.domain])).toEqual([['_svc_a', domain]]);
  });
});

describe('a page with modified built-ins', () => {
  const overrides = {
    'Array.from of an old library': 'Array.from = function (list) { return [] };',
    'toJSON on arrays and strings':
      "Array.prototype.toJSON = function () { return '[ruined]' }; String.prototype.toJSON = function () { return 'ruined' }; Object.prototype.toJSON = function () { return 'ruined' };",
    'enumerable extras on prototypes':
      'Object.prototype.extra = function () {}; Array.prototype.extra = function () {};',
    'methods that throw':
      "for (const name of ['includes', 'find', 'flat', 'flatMap', 'entries', 'at']) Array.prototype[name] = function () { throw new Error('broken ' + name) };",
    'no console, and a fetch that is wrapped':
      'window.console = undefined; const real = window.fetch; window.fetch = (...given) => real(...given);',
    'a frozen history': 'Object.freeze(history);',
    'a DOM that is clobbered by names':
      "document.addEventListener('DOMContentLoaded', () => document.body.insertAdjacentHTML('beforeend', '<form name=getElementById><input name=addEventListener id=currentScript></form><img name=cookie>'));",
  };

  it.each(Object.entries(overrides))('is still tracked: %s', async (_name, script) => {
    const page = await openWith(script, '/broken');
    await inPage(
      page,
      "svc('goal', 'lead', {list: [1, {a: 2}]}); svc('user', {interests: ['x', 'y'], age: 30}); svc('goal', '!')",
    );
    await stage.collector.event('user');
    expect(stage.collector.events('goal')).toMatchObject([{ name: 'lead', params: { list: [1, { a: 2 }] } }]);
    expect(stage.collector.events('user')[0]?.user).toEqual({ age: 30, interests: ['x', 'y'] });
    expect(stage.faults).toEqual([]);
  });
});

describe('a page with the tag.js of another service', () => {
  /** The browser does not run it. */
  const another = (): string =>
    `<script type="text/plain" src="${stage.site.url('/metrika/tag.js', 'another.example')}"></script>`;

  it('sends hits to our server although an element hides which script is running', async () => {
    stage.site.pages.set('/hidden', {
      head: `<img name="currentScript">${another()}${snippet(stage.collector.origin)}`,
    });
    await stage.open('/hidden');
    expect(await stage.collector.event('pageview')).toMatchObject({ url: stage.site.url('/hidden') });
  });

  it('sends hits to our server although that tag.js is at the root of its host, as ours is', async () => {
    const root = another().replace('/metrika/', '/');
    stage.site.pages.set('/root', { head: `<img name="currentScript">${root}${snippet(stage.collector.origin)}` });
    await stage.open('/root');
    expect(await stage.collector.event('pageview')).toMatchObject({ url: stage.site.url('/root') });
  });

  it('does not start our tag if its script was copied into the page, since it would send to that service', async () => {
    const copy = await readFile(join(TAG_DIST, 'tag.js'), 'utf8');
    stage.site.pages.set('/copied', {
      head: `${another()}<script>window.svc=function(){(svc.q=svc.q||[]).push(arguments)};svc('init','${TAG_KEY}')</script><script>${copy}</script>`,
    });
    const page = await stage.context.newPage();
    await page.goto(stage.site.url('/copied'));
    expect(await inPage(page, '[typeof svc, svc.on]')).toEqual(['function', undefined]);
  });
});

it('a page gets no other global from the tag than svc', async () => {
  stage.site.pages.set('/clean', {
    head: `<script>window.before = Object.getOwnPropertyNames(window)</script>${snippet(stage.collector.origin)}`,
  });
  const page = await stage.open('/clean');
  expect(await inPage(page, 'Object.getOwnPropertyNames(window).filter((name) => !before.includes(name))')).toEqual(
    expect.arrayContaining(['svc']),
  );
  expect(
    await inPage(
      page,
      "Object.getOwnPropertyNames(window).filter((name) => !before.includes(name) && !['svc', 'before'].includes(name) && isNaN(name))",
    ),
  ).toEqual([]);
});

it('nothing is counted while a page is only prerendered', async () => {
  const page = await openWith(
    "Object.defineProperty(document, 'prerendering', { get: () => !window.shown });",
    '/prerendered',
  );
  await inPage(page, "svc('goal', 'waits'); new Promise((resolve) => setTimeout(resolve, 50))");
  expect(stage.collector.events()).toEqual([]);
  await inPage(
    page,
    "window.shown = true; document.dispatchEvent(new Event('prerenderingchange')); svc('event', 'after')",
  );
  await stage.collector.event('event');
  expect(stage.collector.events().map(({ type }) => type)).toEqual(['pageview', 'goal', 'event']);
});
