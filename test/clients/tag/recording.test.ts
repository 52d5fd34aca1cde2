import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { chunksOf, isRecording, readChunk, textOf, type Chunk } from './support/recordings.ts';
import { TAG_KEY } from './support/site.ts';
import { inPage, stageTag, until } from './support/stage.ts';

const stage = stageTag({ isHurried: true });

const chunks = (): Chunk[] => chunksOf(stage);
const text = (): string => textOf(stage);

/** rrweb's event type of a full snapshot. */
const SNAPSHOT = 2;
const PAGE = {
  body: `<h1>Shown to all</h1><form><input id="name" value=""><input id="password" type="password"><textarea id="note"></textarea></form>
    <div data-svc-private><p id="hidden">Never shown</p><input id="card" value="Visa"></div><div style="height: 2000px"></div>`,
};
/** Waits for one more answer of /collect. */
async function tellOnce(page: Page): Promise<void> {
  const told = stage.collector.events('event').length;
  await inPage(page, "svc('event', 'told')");
  await stage.collector.event('event', told + 1);
}

async function tellUntil(page: Page, ask: () => boolean | Promise<boolean>, what: string): Promise<void> {
  await until(async () => {
    await tellOnce(page);
    return ask();
  }, what);
}

describe('a recording', () => {
  // proves: decisions-privacy/recorded-inputs
  it('begins when the server says so, masks input and leaves out private parts', async () => {
    stage.collector.recording = 'on';
    stage.site.pages.set('/record', PAGE);
    const page = await stage.open('/record');
    await until(() => isRecording(page), 'a recording');
    await page.fill('#name', 'Anna Petrova');
    await page.fill('#password', 'hunter2');
    await page.fill('#note', 'Call me');
    await page.fill('#card', '4111222233334444');
    await inPage(
      page,
      "document.querySelector('#hidden').textContent = 'Changed in private'; document.querySelector('h1').textContent = 'Changed for all'",
    );
    await page.mouse.move(50, 60);
    await until(() => text().includes('Changed for all') && chunks()[0]?.head.seq === 0, 'the chunks up to the change');
    const [first] = chunks();
    expect(first?.head).toMatchObject({
      key: TAG_KEY,
      visitor_id: stage.collector.batches[0]?.visitor_id,
      seq: 0,
      events: first?.events.length,
    });
    expect(first?.head.recording_id).toMatch(/^[0-9a-f-]{36}$/);
    expect(first?.head.from).toBe(Math.min(...(first?.events ?? []).map(({ timestamp }) => timestamp)));
    expect(first?.head.to).toBeGreaterThanOrEqual(Number(first?.head.from));
    expect(first?.events.some(({ type }) => type === SNAPSHOT)).toBe(true);
    expect(text()).toContain('Shown to all');
    for (const secret of [
      'Anna',
      'hunter2',
      'Call me',
      'Visa',
      '4111222233334444',
      'Never shown',
      'Changed in private',
    ])
      expect(text()).not.toContain(secret);
    expect(stage.faults).toEqual([]);
  });

  it('continues from page to page of a tab under one id, including the end of each page', async () => {
    stage.collector.recording = 'on';
    stage.site.pages.set('/record', PAGE);
    const page = await stage.open('/record');
    await until(() => chunks().length > 0, 'the first chunk');
    // From now on no chunk is sent because five seconds have passed, so the change arrives only with the end of the page.
    await inPage(
      page,
      `{
        const later = setTimeout;
        window.setTimeout = (work, ms, ...given) => (ms >= 5000 ? 0 : later(work, ms, ...given));
        document.querySelector('h1').textContent = 'Just before leaving';
        new Promise(requestAnimationFrame);
      }`,
    );
    await page.goto(stage.site.url('/record-next'));
    await until(
      () => text().includes('Just before leaving') && text().includes('/record-next'),
      'chunks of both pages',
    );
    expect(new Set(chunks().map(({ head }) => head.recording_id)).size).toBe(1);
    expect(chunks().map(({ head }) => head.seq)).toEqual(chunks().map((_chunk, index) => index));
    const other = await stage.open('/record');
    await until(() => isRecording(other), 'a recording in the other tab');
    await until(() => new Set(chunks().map(({ head }) => head.recording_id)).size === 2, 'a recording of its own');
  });

  it('continues, on a page from the back-forward cache, after the last chunk of the pages shown since', async () => {
    stage.collector.recording = 'on';
    stage.site.pages.set('/record', PAGE);
    const page = await stage.open('/record');
    await until(() => isRecording(page), 'a recording');
    await until(() => chunks().length > 0, 'the first chunk');
    // Between its events, the page's storage changes as other pages of the tab would leave it.
    await inPage(
      page,
      `dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }));
       const left = JSON.parse(sessionStorage.getItem('_svc_r'));
       sessionStorage.setItem('_svc_r', JSON.stringify({ ...left, seq: 40 }));
       dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));
       document.querySelector('h1').textContent = 'Seen again';`,
    );
    await until(() => text().includes('Seen again'), 'a chunk of the page that is shown again');
    const returned = chunks().find(({ head }) => head.seq >= 40);
    expect(returned?.head).toMatchObject({ recording_id: chunks()[0]?.head.recording_id, seq: 40 });
    expect(returned?.events.some(({ type }) => type === SNAPSHOT)).toBe(true);
    expect(
      chunks()
        .filter(({ head }) => head.seq < 40)
        .flatMap(({ events }) => JSON.stringify(events))
        .join(),
    ).not.toContain('Seen again');
  });

  it('is not continued by a tab that a page opens with a copy of its storage', async () => {
    stage.collector.recording = 'on';
    stage.site.pages.set('/record', PAGE);
    const page = await stage.open('/record');
    await until(() => isRecording(page), 'a recording');
    const [opened] = await Promise.all([stage.context.waitForEvent('page'), inPage(page, "void open('/record-copy')")]);
    await opened.waitForFunction('window.svc && window.svc.on');
    const idsOf = (path: string): Set<string> =>
      new Set(
        chunks()
          .filter(({ events }) => events.some(({ data }) => new RegExp(`${path}$`).test(String(data['href']))))
          .map(({ head }) => head.recording_id),
      );
    await until(() => idsOf('/record').size > 0 && idsOf('/record-copy').size > 0, 'chunks of both tabs');
    expect([idsOf('/record').size, idsOf('/record-copy').size]).toEqual([1, 1]);
    expect(idsOf('/record-copy')).not.toEqual(idsOf('/record'));
  });

  it('reports pages of one document, clicks and script errors, but nothing in private parts', async () => {
    stage.collector.recording = 'on';
    stage.site.pages.set('/record', {
      body: '<button id="buy">Buy</button><div data-svc-private><button id="card">Card</button></div>',
    });
    const page = await stage.open('/record');
    await until(() => isRecording(page), 'a recording');
    await page.click('#card');
    await page.click('#buy');
    await inPage(page, "setTimeout(() => { throw new TypeError('no price for anna@example.ru') }, 0)");
    await inPage(page, "void Promise.reject(new Error('no network'))");
    await inPage(page, "void Promise.reject(new Error('ab '.repeat(94) + 'anna@example.ru'))");
    await inPage(
      page,
      "history.pushState({}, '', '/record/cart?email=anna@example.ru&n=1'); document.body.append('cart')",
    );
    const told = () =>
      chunks()
        .flatMap(({ events }) => events)
        .filter(({ type }) => type === 5)
        .map(({ data }) => [data['tag'], Object.values(data['payload'] as object)[0]])
        .sort();
    await until(() => told().length >= 5, 'what happened');
    expect(told()).toEqual([
      ['svc-click', '#buy'],
      ['svc-error', `Error: ${'ab '.repeat(94)}[email]`],
      ['svc-error', 'Error: no network'],
      ['svc-error', 'Uncaught TypeError: no price for [email]'],
      ['svc-page', stage.site.url('/record/cart?n=1')],
    ]);
    stage.faults.length = 0; // the page's own
  });

  it('is disturbed neither by an error without a text nor by a very long one', async () => {
    stage.collector.recording = 'on';
    const page = await stage.open('/record');
    await until(() => isRecording(page), 'a recording');
    await inPage(
      page,
      "window.heard = []; addEventListener('error', ({ message }) => heard.push(message.slice(0, 50)))",
    );
    await inPage(page, 'void Promise.reject(Object.create(null))');
    const ms = await inPage(
      page,
      `{
        const began = performance.now();
        dispatchEvent(new ErrorEvent('error', { message: 'anna@example.ru ' + '@a.a.a.a.a.a.a.a-'.repeat(1_000_000) }));
        performance.now() - began;
      }`,
    );
    const told = () =>
      chunks()
        .flatMap(({ events }) => events)
        .flatMap(({ data }) => (data['tag'] === 'svc-error' ? [(data['payload'] as { message: string }).message] : []));
    await until(() => told().length > 0, 'the long error');
    expect(told()).toEqual([expect.stringMatching(/^\[email\] @a\.a.{200,288}$/)]);
    expect(ms).toBeLessThan(2_000);
    expect(await inPage(page, 'heard')).toEqual(['anna@example.ru @a.a.a.a.a.a.a.a-@a.a.a.a.a.a.a.a-']);
    stage.faults.length = 0; // the page's own
  });

  it('stops when the server no longer asks for it', async () => {
    stage.collector.recording = 'on';
    const page = await stage.open('/record');
    await until(() => isRecording(page), 'a recording');
    stage.collector.recording = null;
    await tellOnce(page);
    await tellOnce(page); // requests are sequential, so the first is answered by now
    const end = Number(await inPage(page, "document.body.append('after the end'); Date.now()"));
    await inPage(page, 'new Promise(requestAnimationFrame)');
    await page.goto('about:blank');
    await stage.open('/next');
    await stage.collector.event('pageview', 2);
    // The last chunk may arrive late, but its content must not be late.
    await until(() => chunks().length > 0, 'the last chunk');
    expect(chunks().filter(({ head }) => head.to > end)).toEqual([]);
    expect(text()).not.toContain('after the end');
  });

  it("does not begin if it is turned off or over the day's limit, which does not stop a running one", async () => {
    stage.collector.recording = 'full';
    const page = await stage.open('/full');
    await inPage(page, "svc('event', 'told')");
    await stage.collector.event('event');
    expect(await isRecording(page)).toBe(false);
    stage.site.pages.set('/off', {
      head: `<script async src="${stage.collector.origin}/tag.js" data-key="${TAG_KEY}" data-off="recording"></script>`,
    });
    stage.collector.recording = 'on';
    const off = await stage.open('/off');
    await inPage(off, "svc('event', 'told')");
    await stage.collector.event('event', 2);
    expect(await isRecording(off)).toBe(false);
    const begun = await stage.open('/begun');
    await until(() => chunks().length > 0, 'a recording that the server has');
    stage.collector.recording = 'full';
    await begun.goto(stage.site.url('/begun-next'));
    await until(() => text().includes('/begun-next'), 'the next page');
  });

  it('ends if it is refused at its beginning, and begins again when there is room', async () => {
    stage.collector.recording = 'on';
    stage.collector.chunkStatus = 429;
    const page = await stage.open('/refused');
    await until(() => stage.collector.refusedChunks.length > 0, 'a chunk that is refused');
    stage.collector.recording = 'full';
    await tellUntil(page, async () => !(await isRecording(page)), 'the end of the recording');
    const [tried] = [stage.collector.refusedChunks.length];
    await inPage(page, "document.body.append('after the end'); new Promise(requestAnimationFrame)");
    await page.goto(stage.site.url('/refused-next'));
    await tellOnce(page);
    expect(await isRecording(page)).toBe(false);
    // The last chunk is created before the session is forgotten, and may arrive after that.
    expect(
      stage.collector.refusedChunks
        .slice(tried)
        .some((body) => JSON.stringify(readChunk(body).events).includes('after the end')),
    ).toBe(false);
    Object.assign(stage.collector, { recording: 'on', chunkStatus: 202 });
    await tellOnce(page);
    await until(() => chunks().some(({ head }) => head.seq === 0), 'a recording when there is room');
  });

  it('begins again with the whole page if its first chunk did not arrive', async () => {
    stage.collector.recording = 'on';
    stage.collector.chunkStatus = 503;
    stage.site.pages.set('/record', PAGE);
    const page = await stage.open('/record');
    await until(() => stage.collector.refusedChunks.length > 0, 'a chunk that is refused');
    const lost = readChunk(stage.collector.refusedChunks[0] as Buffer).head.recording_id;
    stage.collector.chunkStatus = 202;
    const isWhole = ({ head, events }: Chunk): boolean =>
      head.seq === 0 && head.recording_id !== lost && events.some(({ type }) => type === SNAPSHOT);
    await tellUntil(page, () => chunks().some(isWhole), 'a recording from the beginning');
    const anew = chunks().find(isWhole)?.head.recording_id;
    // A recording that the server has is not begun again.
    await tellOnce(page);
    await tellOnce(page);
    await inPage(page, "document.querySelector('h1').textContent = 'Still the same'");
    await until(() => text().includes('Still the same'), 'the change');
    expect(
      new Set(
        chunks()
          .filter(({ head }) => head.recording_id !== lost)
          .map(({ head }) => head.recording_id),
      ),
    ).toEqual(new Set([anew]));
  });

  it('runs under a strict policy with trusted types', async () => {
    stage.collector.recording = 'on';
    const { origin } = stage.collector;
    stage.site.pages.set('/strict', {
      head: `<script async src="${origin}/tag.js" data-key="${TAG_KEY}"></script>`,
      headers: {
        'Content-Security-Policy': `default-src 'none'; script-src ${origin}; connect-src ${origin}; require-trusted-types-for 'script'; trusted-types svc-tag`,
      },
    });
    const violations: string[] = [];
    const page = await stage.context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') violations.push(message.text());
    });
    await page.goto(stage.site.url('/strict'));
    await until(() => chunks().length > 0, 'a chunk');
    expect(violations.filter((line) => /Content Security|Trusted/i.test(line))).toEqual([]);
  });

  // proves: tag-limits/chunk
  it('sends no chunk that is over 1,024 KB compressed', async () => {
    stage.collector.recording = 'on';
    // Incompressible data: random text of a few megabytes.
    stage.site.pages.set('/huge', {
      body: "<p id=noise></p><script>let s = ''; const r = new Uint8Array(65536); for (let n = 0; n < 50; n++) { crypto.getRandomValues(r); s += String.fromCharCode(...r.map((x) => 33 + x % 90)) } noise.textContent = s</script>",
    });
    const page = await stage.open('/huge');
    await until(() => isRecording(page), 'a recording');
    await until(
      async () => (await inPage(page, "JSON.parse(sessionStorage.getItem('_svc_r')).seq")) === 1,
      'the first chunk',
    );
    await inPage(page, "document.body.append('later'); svc('event', 'told')");
    await stage.collector.event('event');
    await page.goto('about:blank');
    await stage.open('/small');
    await until(() => chunks().length > 0, 'the recording of the next page');
    expect(chunks().every(({ bytes }) => bytes <= 1_048_576)).toBe(true);
    expect(chunks().some(({ events }) => JSON.stringify(events).length > 1_000_000)).toBe(false);
  });
});
