import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { snippet, TAG_KEY } from './support/site.ts';
import { inPage, stageTag, until } from './support/stage.ts';

const stage = stageTag();

/** Waits until everything so far has been sent. */
async function settled(page: Page): Promise<void> {
  await inPage(page, "svc('event', 'settled')");
  await stage.collector.event('event');
}

/** Scroll events fire once a frame. */
const FRAMES = 'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))';

/** Advances a page's clock in steps, so that no request waits longer than a step. */
function passTime(page: Page): (ms: number) => Promise<void> {
  let underWay = 0;
  page.on('request', () => (underWay += 1));
  for (const end of ['requestfinished', 'requestfailed'] as const)
    page.on(end as 'requestfinished', () => (underWay -= 1));
  return async (ms) => {
    for (let left = ms; left > 0; left -= 5000) {
      await page.clock.runFor(Math.min(left, 5000));
      await until(() => underWay === 0, 'answers');
    }
  };
}

const paths = (): string[] => stage.collector.events('pageview').map(({ url }) => url.replace(/^https?:\/\/[^/]*/, ''));

describe('page views of a single-page application', () => {
  // proves: decisions-tag/pageviews
  it('are sent for pushState, going back and routes in the fragment, but not twice for one address', async () => {
    const page = await stage.open('/app');
    await inPage(
      page,
      `
      history.pushState({}, '', '/app/cart'); document.title = 'Cart';
      history.replaceState({step: 1}, '', '/app/cart'); history.pushState({}, '', '/app/cart')`,
    );
    await inPage(
      page,
      "history.replaceState({}, '', '/app/cart?utm_source=gone'); history.replaceState({}, '', '/app/pay?x=1'); document.title = 'Pay'",
    );
    await inPage(page, "location.hash = '#/step/2'");
    await inPage(page, "location.hash = '#!/step/3'");
    await page.goBack();
    await page.waitForURL('**/app/pay?x=1#/step/2');
    await settled(page);
    expect(paths()).toEqual([
      '/app',
      '/app/cart',
      '/app/pay?x=1',
      '/app/pay?x=1#/step/2',
      '/app/pay?x=1#!/step/3',
      '/app/pay?x=1#/step/2',
    ]);
    const [, cart, pay] = stage.collector.events('pageview');
    expect(cart).toMatchObject({ title: 'Cart', referrer: stage.site.url('/app') });
    expect(pay).toMatchObject({ referrer: stage.site.url('/app/cart') });
  });

  it('are sent once for each address that a router sets through the Navigation API', async () => {
    stage.site.pages.set('/router', {
      head: `${snippet(stage.collector.origin)}<script>
        navigation.addEventListener('navigate', (event) => event.intercept({ async handler() { document.title = new URL(event.destination.url).pathname; } }));
      </script>`,
      body: '<a href="/router/b">b</a>',
    });
    const page = await stage.open('/router');
    await inPage(page, "navigation.navigate('/router/a').finished.then(() => {})");
    await page.click('a');
    await inPage(page, "navigation.navigate('/router/b?sort=price', { history: 'replace' }).finished.then(() => {})");
    await page.goBack();
    await page.waitForURL('**/router/a');
    await settled(page);
    expect(paths()).toEqual(['/router', '/router/a', '/router/b', '/router/a']);
    expect(stage.collector.events('pageview')[2]).toMatchObject({
      title: '/router/b',
      referrer: stage.site.url('/router/a'),
    });
    expect(stage.faults).toEqual([]);
  });

  it('are not sent for an anchor on the page, and what is in the fragment stays in the browser', async () => {
    const page = await stage.open('/long#access_token=secret');
    await inPage(page, "location.hash = '#chapter-2'");
    await settled(page);
    expect(paths()).toEqual(['/long']);
    expect(stage.collector.requests.some(({ body }) => body.includes('secret'))).toBe(false);
  });

  it('have the title that the page sets a little later', async () => {
    // The change has a batch of its own, which is sent a second later.
    const page = await stage.openAnswered('/titles');
    await inPage(
      page,
      "history.pushState({}, '', '/titles/a'); setTimeout(() => { document.title = 'Late title' }, 100)",
    );
    await stage.collector.event('pageview', 2);
    expect(stage.collector.events('pageview')[1]).toMatchObject({ title: 'Late title' });
  });

  it('are also sent for each explicit hit, with the address of the page if that of the hit is on another host', async () => {
    const page = await stage.open('/hits');
    await inPage(page, "history.pushState({}, '', '/hits/a'); svc('hit'); svc('hit', 'https://elsewhere.example/x')");
    await settled(page);
    expect(paths()).toEqual(['/hits', '/hits/a', '/hits/a', '/hits/a']);
  });

  it('begin with the referrer of the page even if the first is an explicit hit with another address', async () => {
    stage.site.pages.set('/manual', {
      head: snippet(stage.collector.origin, `svc('init', '${TAG_KEY}', {pageviews: false});`),
    });
    const page = await stage.context.newPage();
    await page.goto(stage.site.url('/manual'), { referer: 'https://search.example/?q=x' });
    await page.waitForFunction('window.svc && window.svc.on');
    await inPage(page, "history.replaceState({}, '', '/manual/home'); svc('hit', '/virtual/home')");
    await inPage(page, "history.pushState({}, '', '/manual/cart'); svc('hit')");
    await settled(page);
    expect(stage.collector.events('pageview').map(({ url, referrer }) => [url, referrer])).toEqual([
      [stage.site.url('/virtual/home'), 'https://search.example/?q=x'],
      [stage.site.url('/manual/cart'), stage.site.url('/virtual/home')],
    ]);
  });
});

describe('clicks', () => {
  const body = `
    <main><section><p>text</p><p><button style="margin: 50px; border: 0" class="x">Buy</button></p></section>
    <nav id="menu"><a href="/inner">inner</a></nav><div data-svc-private><button id="secret">s</button><a id="out-private" href="https://other.example/p">p</a></div>
    <a id="out" href="https://user:pw@other.example/page#token" target="_blank">out</a> <a id="sub" href="http://m.shop.example/x">sub</a>
    <a id="file" href="/files/Price%20list.XLSX?v=2">file</a> <a id="named" download href="/export">named</a> <a id="mail" href="mailto:anna@example.org">mail</a>
    <a id="component" href="https://other.example/around"><x-icon></x-icon></a> <x-link><b id="slotted">slotted</b></x-link>
    <x-private><a id="out-slotted" href="https://other.example/q">q</a></x-private></main>
    <script>
      document.addEventListener('click', (event) => event.preventDefault());
      for (const [name, html] of [
        ['x-icon', '<b>icon</b>'],
        ['x-link', '<a href="https://other.example/inside"><slot></slot></a>'],
        ['x-private', '<div data-svc-private><slot></slot></div>'],
      ])
        for (const element of document.querySelectorAll(name)) element.attachShadow({ mode: 'open' }).innerHTML = html;
    </script>`;

  // proves: decisions-tag/clicks
  it('have a position and a selector', async () => {
    stage.site.pages.set('/clicks', { body });
    const page = await stage.open('/clicks');
    const box = await page.locator('button.x').boundingBox();
    await page.click('button.x', { position: { x: 4, y: 5 } });
    await page.click('nav a');
    await page.click('#secret');
    await inPage(page, "document.querySelector('nav a').click()"); // by a script, so not a user's click
    await settled(page);
    const [button, link, ...more] = stage.collector.events('click');
    expect(button).toMatchObject({
      selector: 'html>body>main>section>p:nth-of-type(2)>button',
      x: Math.round(Number(box?.x) + 4),
      y: Math.round(Number(box?.y) + 5),
      url: page.url(),
      element_x: Math.round((4 / Number(box?.width)) * 1e4) / 1e4,
      element_y: Math.round((5 / Number(box?.height)) * 1e4) / 1e4,
      viewport_width: 1000,
      viewport_height: 600,
      document_width: 1000,
      document_height: await inPage(page, 'document.documentElement.scrollHeight'),
    });
    expect(stage.collector.events('pageview')[0]).toMatchObject({ viewport_width: 1000, viewport_height: 600 });
    expect(link).toMatchObject({ selector: '#menu>a' });
    expect(more).toEqual([]);
    expect(await inPage(page, `document.querySelectorAll(${JSON.stringify(button?.selector)}).length`)).toBe(1);
  });

  // proves: decisions-tag/outbound, decisions-tag/downloads
  it('report outbound links and downloads, also where components are in links or links in components', async () => {
    stage.site.pages.set('/links', { body });
    const page = await stage.open('/links');
    const ids = ['out', 'sub', 'file', 'named', 'mail', 'out-private', 'component', 'slotted', 'out-slotted'];
    for (const id of ids) await page.click(`#${id}`);
    await settled(page);
    expect(stage.collector.events('outbound').map(({ target }) => target)).toEqual([
      'https://other.example/page',
      'https://other.example/around',
      'https://other.example/inside',
    ]);
    expect(stage.collector.events('click')).toHaveLength(7);
    expect(stage.collector.events('download').map(({ target }) => target)).toEqual([
      stage.site.url('/files/Price%20list.XLSX?v=2'),
      stage.site.url('/export'),
    ]);
    expect(stage.collector.requests.some(({ body }) => body.includes('anna'))).toBe(false);
  });
});

describe('forms', () => {
  // proves: decisions-tag/forms
  it('are reported by id or name, never with their contents', async () => {
    stage.site.pages.set('/forms', {
      body: `<form id="callback" onsubmit="return false"><input name="id" value="in"><input name="phone" type="tel"><button>send</button></form>
        <form name="search" onsubmit="return false"><input name="q"><button>go</button></form>
        <form data-svc-private id="private" onsubmit="return false"><button>no</button></form>`,
    });
    const page = await stage.open('/forms');
    await page.fill('[name=phone]', '+79990001122');
    for (const form of ['#callback', '[name=search]', '#private']) await page.click(`${form} button`);
    await settled(page);
    expect(stage.collector.events('form').map(({ name }) => name)).toEqual(['callback', 'search']);
    expect(stage.collector.requests.some(({ body }) => body.includes('9990001122'))).toBe(false);
  });

  it('are reported inside components too, once each, and never where the page says that they are private', async () => {
    const form = (id: string): string => `<form id="${id}"><input><button type="button">no</button></form>`;
    stage.site.pages.set('/component-forms', {
      body: `<x-form id="own"></x-form> <x-frame>${form('slotted')}</x-frame> <x-outer></x-outer>
        <div data-svc-private><x-form id="hidden"></x-form></div> <x-private></x-private>
        <script>
          const add = (name, html) => {
            for (const host of document.querySelectorAll(name)) {
              const root = host.attachShadow({ mode: 'open' });
              root.innerHTML = html;
              root.addEventListener('submit', (event) => event.preventDefault());
            }
          };
          document.addEventListener('submit', (event) => event.preventDefault());
          add('x-form', '${form('inside')}');
          add('x-frame', '<slot></slot>');
          add('x-private', '<div data-svc-private><x-inner><slot></slot></x-inner></div>');
          add('x-outer', '<x-deep></x-deep>');
          for (const [outer, name] of [['x-outer', 'x-deep'], ['x-private', 'x-inner']]) {
            const root = document.querySelector(outer).shadowRoot.querySelector(name).attachShadow({ mode: 'open' });
            root.innerHTML = '${form('deep')}';
            root.addEventListener('submit', (event) => event.preventDefault());
          }
        </script>`,
    });
    const page = await stage.open('/component-forms');
    for (const host of ['#own', 'x-frame', 'x-deep', '#hidden', 'x-inner']) {
      await page.click(`${host} input`);
      await page.keyboard.press('Enter');
    }
    await settled(page);
    expect(stage.collector.events('form').map(({ name }) => name)).toEqual(['inside', 'slotted', 'deep']);
  });
});

describe('attention', () => {
  // proves: decisions-tag/scroll
  it('includes the deepest scroll of a page when it is left', async () => {
    stage.site.pages.set('/deep', { body: '<div style="height: 2950px"></div>' });
    const page = await stage.open('/deep');
    await inPage(page, 'window.scrollTo(0, 1000)');
    await inPage(page, FRAMES);
    await inPage(page, 'window.scrollTo(0, 400)');
    await inPage(page, FRAMES);
    await inPage(page, "history.pushState({}, '', '/deep/next')");
    const scroll = await stage.collector.event('scroll');
    const height = Number(await inPage(page, 'document.documentElement.scrollHeight'));
    expect(scroll).toMatchObject({
      url: stage.site.url('/deep'),
      depth: Math.round((1600 / height) * 100),
      document_height: height,
    });
    await settled(page);
    expect(stage.collector.events('scroll')).toHaveLength(1);
  });

  it('includes pings while somebody is there', async () => {
    const page = await stage.context.newPage();
    // Only this test advances the page's time: otherwise a slow machine would add some.
    await page.clock.install({ time: 0 });
    await page.clock.pauseAt(1000);
    const pass = passTime(page);
    const pings = async (count: number): Promise<void> => {
      await stage.collector.event('ping', count);
      expect(stage.collector.events('ping')).toHaveLength(count);
    };
    await page.goto(stage.site.url('/read'));
    await page.waitForFunction('window.svc && window.svc.on');
    await pass(1500);
    await stage.collector.event('pageview');
    await pass(12_500);
    expect(stage.collector.events('ping')).toEqual([]);
    await pass(2500);
    await pings(1);
    await pass(30_000);
    await pings(2);
    await pass(400_000);
    // Presence ends five minutes after the last interaction: 15 s, then every 30 s until 300 s.
    await pings(10);
    await page.mouse.move(10, 10);
    await pass(32_000);
    await pings(11);
  });
});

it('each automatic event can be turned off', async () => {
  const off = 'pageviews clicks forms outbound downloads scroll ping';
  const head = `<script async src="${stage.collector.origin}/tag.js" data-key="${TAG_KEY}" data-off="${off}"></script>`;
  const options = off
    .split(' ')
    .map((name) => `${name}: false`)
    .join(', ');
  const pages = {
    '/off': head,
    '/off-options': snippet(stage.collector.origin, `svc('init', '${TAG_KEY}', {${options}})`),
  };
  for (const [path, pageHead] of Object.entries(pages)) {
    stage.collector.reset();
    stage.site.pages.set(path, {
      head: pageHead,
      body: '<form onsubmit="return false"><button>b</button></form><a href="https://other.example/f.pdf" onclick="return false">f</a><div style="height:3000px"></div>',
    });
    const page = await stage.open(path);
    await page.click('button');
    await page.click('a');
    await page.mouse.wheel(0, 500);
    await page.waitForFunction('window.scrollY > 0');
    await inPage(page, "history.pushState({}, '', '/off/next')");
    await settled(page);
    expect(stage.collector.events().map(({ type, url }) => [type, url])).toEqual([
      ['event', stage.site.url('/off/next')],
    ]);
    expect(stage.collector.events('ping')).toEqual([]);
    await page.close();
  }
});
