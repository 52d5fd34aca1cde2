import { describe, expect, it } from '@jest/globals';
import { snippet, TAG_KEY } from './support/site.ts';
import { inPage, stageTag, until } from './support/stage.ts';

const stage = stageTag({ isHurried: true });
/**
 * Lists in `written` what the page writes into its cookies. The browser's own list shows Lax where a cookie has no
 * SameSite.
 */
const COOKIES_WRITTEN = `{
  const { get, set } = Object.getOwnPropertyDescriptor(Document.prototype, 'cookie');
  window.written = [];
  Object.defineProperty(Document.prototype, 'cookie', { configurable: true, get, set(text) { written.push(text); set.call(this, text) } });
}`;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe('the envelope', () => {
  // proves: analytics-ids/visitor_id, decisions-tag/cookie
  it('contains the visitor of the cookie, the device and the time of sending', async () => {
    await stage.context.addInitScript(COOKIES_WRITTEN);
    const page = await stage.open('/first?utm_source=letter');
    const view = await stage.collector.event('pageview');
    const [batch] = stage.collector.batches;
    const [cookie] = await stage.context.cookies();
    const written = (await inPage(page, "written.filter((text) => text.startsWith('_svc_a='))")) as string[];
    expect(written.filter((text) => !text.split('; ').includes('SameSite=Lax'))).toEqual([]);
    expect(written.length).toBeGreaterThan(0);
    expect(cookie).toMatchObject({
      name: '_svc_a',
      domain: '.shop.example',
      path: '/',
      sameSite: 'Lax',
      httpOnly: false,
    });
    expect(cookie?.value).toMatch(UUID);
    expect(Number(cookie?.expires) - Date.now() / 1000).toBeGreaterThan(395 * 86_400);
    expect(Number(cookie?.expires) - Date.now() / 1000).toBeLessThan(397 * 86_400);
    expect(batch).toMatchObject({
      visitor_id: cookie?.value,
      device: { window: '1000x600', language: 'ru-RU', timezone: 'Europe/Moscow' },
    });
    expect(batch?.device['screen']).toMatch(/^\d+x\d+$/);
    expect(batch?.sent_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(view).toMatchObject({ type: 'pageview', url: page.url(), title: '/first' });
    expect(view.id).toMatch(UUID);
    expect(Date.parse(view.at)).toBeLessThanOrEqual(Date.parse(String(batch?.sent_at)));
    expect(stage.collector.requests[0]?.headers['content-type']).toMatch(/^text\/plain/);
    expect(stage.collector.requests[0]?.headers.cookie).toBeUndefined();
    expect(stage.faults).toEqual([]);
  });
});

describe('commands', () => {
  // proves: analytics-ids/visitor_id, decisions-tag/goal, decisions-tag/event
  it('are executed in order, including those from before the script', async () => {
    const head = snippet(
      stage.collector.origin,
      `
      svc('event', 'before-init', {n: 0}); svc('init', 'as_0123456789abcdefghijABCD', {params: {section: 'news'}});
      svc('goal', 'lead', {value: 5}); svc('ready', function (id) { window.known = id; });`,
    );
    stage.site.pages.set('/queue', { head });
    const page = await stage.open('/queue');
    await inPage(page, "svc('event', 'after', {n: 1})");
    await stage.collector.event('event', 2);
    expect(stage.collector.events().map(({ type, name, params }) => [type, name, params])).toEqual([
      ['pageview', undefined, { section: 'news' }],
      ['event', 'before-init', { n: 0 }],
      ['goal', 'lead', { value: 5 }],
      ['event', 'after', { n: 1 }],
    ]);
    expect(await inPage(page, 'window.known')).toBe(stage.collector.batches[0]?.visitor_id);
  });

  // proves: decisions-tag/hit, decisions-tag/user, decisions-tag/purchase, decisions-tag/refund
  it('send what was given to hit, user, purchase and refund', async () => {
    const page = await stage.open('/shop');
    await inPage(
      page,
      `
      svc('hit', '/virtual', {title: 'Virtual', referrer: 'https://from.example/', params: {step: 2}});
      svc('user', {user_id: 42, email: ' anna@example.org ', gender: 'female', age: 30, children: [3, 9], interests: ['garden']});
      svc('purchase', {transaction_id: 'T-1', revenue: '1990.50', currency: 'rub', promo_code: 'SPRING', products: [{id: 1, name: 'Lamp', price: 995.25, qty: 2}]});
      svc('refund', {transaction_id: 'T-1'})`,
    );
    await stage.collector.event('refund');
    const [view] = stage.collector.events('pageview').slice(1);
    expect(view).toMatchObject({
      url: stage.site.url('/virtual'),
      title: 'Virtual',
      referrer: 'https://from.example/',
      params: { step: 2 },
    });
    expect(stage.collector.events('user')[0]?.user).toEqual({
      user_id: '42',
      email: 'anna@example.org',
      gender: 'female',
      age: 30,
      children: [3, 9],
      interests: ['garden'],
    });
    expect(stage.collector.events('purchase')[0]?.order).toEqual({
      transaction_id: 'T-1',
      revenue: 1990.5,
      currency: 'RUB',
      promo_code: 'SPRING',
      products: [{ id: '1', name: 'Lamp', price: 995.25, qty: 2 }],
    });
    expect(stage.collector.events('refund')[0]?.order).toEqual({ transaction_id: 'T-1' });
  });

  // proves: tag-limits/goal-code
  it('send nothing and do no harm if they are wrong', async () => {
    const page = await stage.open('/wrong');
    await inPage(
      page,
      `
      svc('goal', 'Not a code'); svc('goal', 'a'.repeat(65)); svc('goal'); svc('event'); svc('user', 'x'); svc('user', {age: 200}); svc('purchase', {revenue: 1}); svc('nothing'); svc(); svc('ready', 5);
      svc('ready', function () { throw new Error('of the site') }); svc('event', 'last')`,
    );
    await stage.collector.event('event');
    expect(stage.collector.events().map(({ type, name }) => name ?? type)).toEqual(['pageview', 'last']);
    expect(stage.faults).toEqual([]);
  });

  it('tell the developer in the console what is wrong with them', async () => {
    const page = await stage.open('/console');
    const warnings: string[] = [];
    page.on('console', (message) => void (message.type() === 'warning' && warnings.push(message.text())));
    await inPage(
      page,
      `svc('goal', 'Not a code'); svc('event', ' '); svc('event', 7);
      svc('purchase', {transaction_id: 'T-1', revenue: '1 990 ₽', currency: 'RUB', total: 5});
      svc('user', {user_id: 'u', age: 3, city: 'Perm', phone: null, email: ''}); svc('event', 'last')`,
    );
    await stage.collector.event('event', 2);
    expect(warnings).toEqual([
      '[svc] goal: invalid name Not a code',
      '[svc] event: invalid name  ',
      '[svc] purchase: left out revenue, total',
      '[svc] user: left out age',
    ]);
  });

  // proves: decisions-tag/init
  it('start the tag only once, even if init is repeated with another key or the script is included twice', async () => {
    const head = snippet(
      stage.collector.origin,
      "svc('init','as_0123456789abcdefghijABCD');svc('init','as_0123456789abcdefghijABCD');svc('init','as_AAAAAAAAAAAAAAAAAAAAAAAA');",
    );
    stage.site.pages.set('/twice', {
      head: `${head}<script async src="${stage.collector.origin}/tag.js" data-key="as_0123456789abcdefghijABCD"></script>`,
    });
    const page = await stage.open('/twice');
    await page.waitForLoadState('load');
    await inPage(page, "svc('event', 'once')");
    await stage.collector.event('event');
    expect(stage.collector.events().map(({ type }) => type)).toEqual(['pageview', 'event']);
    expect(new Set(stage.collector.batches.map(({ key }) => key))).toEqual(new Set(['as_0123456789abcdefghijABCD']));
  });

  it("work through the snippet's function too, for pages that keep it", async () => {
    const head = snippet(
      stage.collector.origin,
      "window.kept = window.svc; svc('init', 'as_0123456789abcdefghijABCD');",
    );
    stage.site.pages.set('/kept', { head });
    const page = await stage.open('/kept');
    await inPage(page, "kept('event', 'by-the-old-one')");
    expect(await stage.collector.event('event')).toMatchObject({ name: 'by-the-old-one' });
  });

  it('wait for a script that loads late', async () => {
    stage.site.pages.set('/late', { head: snippet(stage.collector.origin).split('\n')[0] ?? '' });
    const page = await stage.context.newPage();
    await page.goto(stage.site.url('/late'));
    await inPage(page, "svc('event', 'early', {x: 1})");
    await page.addScriptTag({ url: `${stage.collector.origin}/tag.js` });
    expect(await stage.collector.event('event')).toMatchObject({ name: 'early' });
    expect(stage.collector.events().map(({ type }) => type)).toEqual(['pageview', 'event']);
  });
});

describe('limits', () => {
  // proves: tag-limits/params, tag-limits/user-params
  it('leave out params over 2 KB, or 4 KB for a user, while the rest of the command counts', async () => {
    const page = await stage.open('/limits');
    await inPage(
      page,
      `
      svc('goal', 'lead', {a: 'x'.repeat(2048 - 8)}); svc('goal', 'lead', {a: 'x'.repeat(2048 - 7)});
      svc('event', 'big', {a: 'я'.repeat(1100)}); svc('user', {user_id: 'u', params: {a: 'x'.repeat(4096)}});
      svc('user', {user_id: 'u', params: {a: 'x'.repeat(4000)}})`,
    );
    await stage.collector.event('user', 2);
    expect(stage.collector.events('goal').map(({ params }) => params !== undefined)).toEqual([true, false]);
    expect(stage.collector.events('event').map(({ params }) => params !== undefined)).toEqual([false]);
    expect(stage.collector.events('user').map(({ user }) => Object.keys(user ?? {}))).toEqual([
      ['user_id'],
      ['user_id', 'params'],
    ]);
  });

  // proves: tag-limits/cut
  it('truncate a long event name, and reject a long goal', async () => {
    const page = await stage.open('/names');
    await inPage(page, "svc('goal', 'a'.repeat(65)); svc('event', ' ' + 'я'.repeat(300)); svc('event', ' ')");
    await stage.collector.event('event');
    expect(stage.collector.events('event').map(({ name }) => name)).toEqual(['я'.repeat(255)]);
    expect(stage.collector.events('goal')).toEqual([]);
  });

  // proves: tag-limits/batch
  it('keep batches to 50 events and 64 KB, without losing anything', async () => {
    const page = await stage.open('/many');
    await inPage(page, "for (let n = 0; n < 130; n++) svc('event', 'e' + n, {text: 'я'.repeat(900)})");
    await stage.collector.event('event', 130);
    expect(Math.max(...stage.collector.batches.map(({ events }) => events.length))).toBeLessThanOrEqual(50);
    expect(Math.max(...stage.collector.requests.map(({ body }) => Buffer.byteLength(body)))).toBeLessThanOrEqual(
      65_536,
    );
    expect(stage.collector.events('event').map(({ name }) => name)).toEqual(
      Array.from({ length: 130 }, (_, n) => `e${n}`),
    );
  });
});

describe('Global Privacy Control', () => {
  const SIGNAL =
    "Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { value: true, configurable: true })";
  const seen = (path: string): number => stage.collector.events().filter(({ url }) => url.includes(path)).length;

  it('stops the tag: nothing is sent or stored, and stored data of earlier pages is removed', async () => {
    const page = await stage.open('/before');
    await stage.collector.event('pageview');
    expect(await inPage(page, "document.cookie.includes('_svc_a=')")).toBe(true);
    await stage.context.addInitScript(SIGNAL);
    const asked = await stage.open('/asked');
    await inPage(asked, "svc('event', 'after'); svc('ready', () => (window.told = true))");
    expect(await inPage(asked, "[document.cookie.includes('_svc_a='), window.told === true]")).toEqual([false, false]);
    // A page that may be counted arrives after everything that the other one would have sent.
    stage.site.pages.set('/heedless', {
      head: snippet(stage.collector.origin, `svc('init','${TAG_KEY}',{gpc:false});`),
    });
    await stage.open('/heedless');
    await until(() => seen('/heedless') > 0, 'the page of a site that does not heed it');
    expect(seen('/asked')).toBe(0);
  });
});
