import { gunzipSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { gzipStored } from '../../../clients/tag/record/gzip.ts';
import { snippet, TAG_KEY } from './support/site.ts';
import { inPage, stageTag, until } from './support/stage.ts';

const stage = stageTag({ isHurried: true });

interface Chunk {
  head: {
    key: string;
    visitor_id: string;
    recording_id: string;
    seq: number;
    sent_at: string;
    from: number;
    to: number;
    events: number;
  };
  events: { type: number; timestamp: number; data: Record<string, unknown> }[];
  bytes: number;
}

function read(body: Buffer): Chunk {
  const line = body.indexOf('\n');
  const compressed = body.subarray(line + 1);
  return {
    head: JSON.parse(body.subarray(0, line).toString()),
    events: JSON.parse(gunzipSync(compressed).toString()),
    bytes: compressed.length,
  };
}

const chunks = (): Chunk[] => stage.collector.chunks.map(read).sort((a, b) => a.head.seq - b.head.seq);
const text = (): string => JSON.stringify(chunks().map(({ events }) => events));

/** rrweb's event type of a full snapshot. */
const SNAPSHOT = 2;
const PAGE = {
  body: `<h1>Shown to all</h1><form><input id="name" value=""><input id="password" type="password"><textarea id="note"></textarea></form>
    <div data-svc-private><p id="hidden">Never shown</p><input id="card" value="4111"></div><div style="height: 2000px"></div>`,
};

async function isRecording(page: Page): Promise<boolean> {
  return (await inPage(page, "sessionStorage.getItem('_svc_r') !== null")) === true;
}

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
    await until(() => text().includes('Changed for all'), 'the chunk with the change');
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
    for (const secret of ['Anna', 'hunter2', 'Call me', '4111', 'Never shown', 'Changed in private'])
      expect(text()).not.toContain(secret);
    expect(stage.faults).toEqual([]);
  });

  it('continues from page to page of a tab under one id, including the end of each page', async () => {
    stage.collector.recording = 'on';
    stage.site.pages.set('/record', PAGE);
    const page = await stage.open('/record');
    await until(() => isRecording(page), 'a recording');
    await inPage(
      page,
      "document.querySelector('h1').textContent = 'Just before leaving'; new Promise(requestAnimationFrame)",
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

  it('continues on a page from the back-forward cache after what the pages since then have sent', async () => {
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
    await until(() => told().length >= 4, 'what happened');
    expect(told()).toEqual([
      ['svc-click', '#buy'],
      ['svc-error', 'Error: no network'],
      ['svc-error', 'Uncaught TypeError: no price for [email]'],
      ['svc-page', stage.site.url('/record/cart?n=1')],
    ]);
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

  it('does not begin when the day is full or it is turned off, but a running one continues', async () => {
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
    await until(() => isRecording(begun), 'a recording');
    stage.collector.recording = 'full';
    await begun.goto(stage.site.url('/begun-next'));
    await until(() => text().includes('/begun-next'), 'the next page');
  });

  it('that is refused at its beginning ends, and begins again when there is room', async () => {
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
        .some((body) => JSON.stringify(read(body).events).includes('after the end')),
    ).toBe(false);
    Object.assign(stage.collector, { recording: 'on', chunkStatus: 202 });
    await tellOnce(page);
    await until(() => chunks().some(({ head }) => head.seq === 0), 'a recording when there is room');
  });

  it('whose first chunk did not arrive begins again with the whole page', async () => {
    stage.collector.recording = 'on';
    stage.collector.chunkStatus = 503;
    stage.site.pages.set('/record', PAGE);
    const page = await stage.open('/record');
    await until(() => stage.collector.refusedChunks.length > 0, 'a chunk that is refused');
    const lost = read(stage.collector.refusedChunks[0] as Buffer).head.recording_id;
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
  it('of a page that is over 1,024 KB compressed is not sent', async () => {
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

it('the built-in gzip can be read by every gzip reader', () => {
  for (const size of [0, 1, 65_535, 65_536, 200_000]) {
    const sample = 'я'.repeat(size / 2) + 'x'.repeat(size % 2);
    expect(gunzipSync(gzipStored(sample)).toString()).toBe(sample);
  }
});

const PERSONAL = {
  title: 'anna@example.ru',
  body: `<h1>Cabinet of anna@example.ru</h1><p id="phone">Call 8 (916) 555-73-01 or write</p><p id="plain">Order 79990 of 2026-11-20</p>
    <a id="mail" href="mailto:anna@example.ru" title="To anna@example.ru">mail</a><a href="/?name=Anna&id=7">link</a>
    <div data-svc-mask id="masked"><b title="Ivan">Ivan Petrov</b></div><div data-svc-block><i>Never shown</i></div>
    <img srcset="/a.png?email=anna@example.ru 1x, /b.png?size=2&phone=89165557303 2x"><link rel="preload" as="image" imagesrcset="/c.png?name=Anna, /d.png?size=3 640w">
    <b id="styled" style="color: red; background: url('/e.png?email=anna@example.ru&size=4')">styled</b>
    <input id="secret" type="hidden" value="Anna Petrova"><input type="checkbox" value="Olga"><input type="submit" value="Send it">
    <iframe srcdoc="<p>Write to anna@example.ru</p>"></iframe>
    <div data-svc-mask><iframe id="chat" srcdoc="<p>Zhukov</p><div></div>"></iframe></div>
    <div id="editor" contenteditable><p>Dear Semyon</p></div><p contenteditable="FALSE">Not to be edited</p>
    <user-card email="anna@example.ru" phone="+7 916 555-73-01" onclick="write('anna@example.ru')">Card</user-card>
    <a href="javascript:write('anna@example.ru')" download="anna@example.ru.pdf">Write</a>
    <p id="split"></p><a href="data:text/csv,Anna,anna@example.ru">Table</a><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">
    <img src="data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'%3E%3Ctext%3EAnna, anna@example.ru%3C/text%3E%3C/svg%3E">
    <img src="data:image/svg+xml;base64,${Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><text>Anna</text></svg>').toString('base64')}">
    <img srcset="data:image/gif;base64,R0lGODlhAQABAIAAAAA= 1x, /h.png?email=anna@example.ru&size=7 2x">
    <img data-srcset="data:image/gif;base64,R0lGODlhAQABAIAAAAE= 1x, /i.png?email=anna@example.ru&size=8 2x">
    <img data-src="data:image/svg+xml,<svg><text>Anna</text></svg>"><img src="data:image/svg+xml,%3Csvg%3E%3Cpath d='M1 2'/%3E%3C/svg%3E">
    <b style='background: url("data:image/svg+xml,<svg xmlns=\\"http://www.w3.org/2000/svg\\"><text>Anna</text></svg>"); color: blue'></b>
    <div id="shadow"></div><svg><path d="M8 916 555 73 01z"/></svg><script>
      document.querySelector('#shadow').attachShadow({mode: 'open'}).innerHTML = 'ivan@example.ru<em>in the shadow</em>';
      document.querySelector('#split').append('Mail to ', 'anna', '@', 'example.ru', ' soon, or call ', '+7 (', '916', ') 555', '-73-01');
    </script>`,
};
const CHANGE = `
  document.querySelector('#phone').firstChild.data = 'Changed: +7 916 555 73 02';
  document.querySelector('#masked').insertAdjacentHTML('beforeend', '<u alt="Olga">Olga Orlova</u>');
  document.querySelector('#mail').setAttribute('title', 'petr@example.ru');
  document.querySelector('#secret').value = 'Ivan Orlov';
  document.querySelector('#secret').setAttribute('value', 'Ivan Petrov');
  document.querySelector('#styled').style.backgroundImage = 'url("/f.png?email=petr@example.ru&size=5")';
  document.querySelector('#styled').style.listStyleImage = 'url("data:image/svg+xml,<svg><text fill=\\\\"red\\\\">Olga</text></svg>")';
  document.querySelector('img').src = 'data:image/svg+xml,<svg><text>Olga</text></svg>';
  document.querySelector('img').srcset = '/g.png?email=petr@example.ru&size=6 2x';
  document.querySelector('#plain').insertAdjacentHTML('beforeend', '<s>petr@example.ru</s>');
  const chat = document.querySelector('#chat').contentDocument;
  chat.querySelector('p').firstChild.data = 'Changed: Morozov';
  chat.body.insertAdjacentHTML('beforeend', '<b title="Volkov">Volkov</b>');
  chat.querySelector('div').attachShadow({mode: 'open'}).innerHTML = 'Belov<em>Belov</em>';
  document.querySelector('user-card').setAttribute('email', 'petr@example.ru');
  const split = document.createElement('p');
  split.append('Or to ', 'petr', '@', 'example.ru');
  document.querySelector('#split').append(split);
  document.querySelector('#editor p').firstChild.data = 'Dear Fyodor';
  document.querySelector('#editor').insertAdjacentHTML('beforeend', '<p>Yours, Kuznetsov</p>');
  document.querySelector('#plain').append(' done')`;

/** Records a page whose URL, texts and attributes contain personal data, with a change to each. */
async function recordPersonal(path: string): Promise<string> {
  stage.collector.recording = 'on';
  stage.site.pages.set(path, {
    ...PERSONAL,
    head: `${snippet(stage.collector.origin)}<style>i { color: rgb(1, 2, 3) }</style>`,
  });
  const page = await stage.open(`${path}?email=anna%40example.ru&q=anna%40example.ru#/r?tel=89165557301`);
  await until(() => isRecording(page), 'a recording');
  await inPage(page, CHANGE);
  await until(
    () => /done|\*{4}/.test(text().slice(-3000)) && chunks().length > 0 && text().includes('"adds":[{'),
    'the changes',
  );
  await page.close();
  return text();
}

describe('texts in a recording', () => {
  it('that look personal are masked, even in attributes, addresses and changes; the rest is shown', async () => {
    const shown = await recordPersonal('/personal');
    expect(shown).not.toMatch(
      /anna@|anna%40|ivan@|petr@|555-73|555 73 02|89165557303|Anna|Petrov|Orlov|Olga|Ivan|Semyon|Fyodor|Kuznetsov|Zhukov|Morozov|Volkov|Belov|Never shown|"(?:anna|petr|916|\) 555|-73-01)"/,
    );
    for (const kept of [
      'Cabinet of [email]',
      'Call [phone] or write',
      'mailto:[email]',
      '/?id=7',
      'Order 79990 of 2026-11-20',
      'M8 916 555',
      'in the shadow',
      '**** ******',
      'a.png 1x, ',
      'b.png?size=2 2x',
      '/c.png, /d.png?size=3 640w',
      'e.png?size=4',
      'f.png?size=5',
      'g.png?size=6 2x',
      'color: red',
      'Send it',
      'Write to [email]',
      'Not to be edited',
      'Mail to ',
      ' soon, or call ',
      'Or to ',
      'R0lGODlhAQABAAAAACw=',
      'R0lGODlhAQABAIAAAAA= 1x, ',
      'h.png?size=7 2x',
      'R0lGODlhAQABAIAAAAE= 1x, ',
      "path d='M1 2'",
      'color: blue',
    ])
      expect(shown).toContain(kept);
    expect(shown).not.toContain('svg+xml;base64');
    const meta = chunks()
      .flatMap(({ events }) => events)
      .find(({ type }) => type === 4);
    expect(meta?.data['href']).toMatch(/\/personal\?q=\[email\]#\/r$/);
  });

  it('that become empty side by side are handled in linear time', async () => {
    stage.collector.recording = 'on';
    stage.site.pages.set('/empty', {
      body: `<p></p><script>
        document.querySelector('p').append(...Array.from({ length: 4_000 }, () => 'one of many, and long'.repeat(20)));
        window.reads = 0;
        for (const side of ['previousSibling', 'nextSibling']) {
          const { get } = Object.getOwnPropertyDescriptor(Node.prototype, side);
          Object.defineProperty(Node.prototype, side, { get() { window.reads += 1; return get.call(this); } });
        }
      </script>`,
    });
    const page = await stage.open('/empty');
    await until(() => text().includes('one of many'), 'the first chunk');
    await inPage(
      page,
      `for (const node of document.querySelector('p').childNodes) node.data = '';
       document.querySelector('p').append(document.createElement('i'), 'changed')`,
    );
    await until(() => text().includes('changed'), 'the changes');
    expect(await inPage(page, 'window.reads')).toBeLessThan(100_000);
  });

  it('are all masked if the site says so', async () => {
    stage.collector.masksTexts = true;
    const shown = await recordPersonal('/masked');
    expect(shown).not.toMatch(/Cabinet|Order|Call|Changed|in the|anna/);
    expect(shown).toContain('M8 916 555');
    expect(shown).toContain('rgb(1, 2, 3)');
  });
});
