import { describe, expect, it } from '@jest/globals';
import { chunksOf, isRecording, textOf, type Chunk } from './support/recordings.ts';
import { snippet } from './support/site.ts';
import { inPage, stageTag, until } from './support/stage.ts';

const stage = stageTag({ isHurried: true });

const chunks = (): Chunk[] => chunksOf(stage);
const text = (): string => textOf(stage);

const PERSONAL = {
  title: 'anna@example.ru',
  body: `<h1>Cabinet of anna@example.ru</h1><p id="phone">Call 8 (916) 555-73-01 or write</p><p id="plain">Order 79990 of 2026-11-20</p>
    <a id="mail" href="mailto:anna@example.ru" title="To anna@example.ru">mail</a><a href="/?name=Anna&id=7">link</a>
    <div data-svc-mask id="masked"><b title="Ivan">Ivan Petrov</b></div><div data-svc-block><i>Never shown</i></div>
    <img srcset="/a.png?email=anna@example.ru 1x, /b.png?size=2&phone=89165557303 2x"><link rel="preload" as="image" imagesrcset="/c.png?name=Anna, /d.png?size=3 640w">
    <b id="styled" style="color: red; background: url('/e.png?email=anna@example.ru&size=4')">styled</b>
    <input id="secret" type="hidden" value="Anna Petrova"><input type="checkbox" value="Olga"><input type="submit" value="Send it">
    <input type="radio" name="group" checked><input type="radio" name="group" id="radio"><input type="checkbox" id="box">
    <select id="choice"><option value="1234567">One</option><option id="option">Two</option></select>
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
  document.querySelector('#radio').click();
  document.querySelector('#box').checked = true;
  document.querySelector('#box').setAttribute('checked', '');
  document.querySelector('#option').setAttribute('selected', '');
  document.querySelector('#choice').value = '1234567';
  document.querySelector('#choice').dispatchEvent(new Event('change', { bubbles: true }));
  document.querySelector('#plain').append(' done');
  document.querySelector('#plain').className = 'the-last-change';`;

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
  await until(() => text().includes('the-last-change'), 'the changes');
  await page.close();
  return text();
}

describe('texts in a recording', () => {
  // proves: decisions-privacy/recorded-inputs, decisions-privacy/recorded-texts, decisions-privacy/svc-mask
  // proves: decisions-privacy/svc-block
  it('are masked if they look personal, even in attributes, addresses and changes, and shown otherwise', async () => {
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
    expect(shown).toContain('"isChecked":');
    expect(shown).not.toMatch(/"checked":|"isChecked":true|"selected":/);
    // rrweb stores a value in as many asterisks, which would tell the options apart.
    expect(shown).not.toContain('"*******"');
    const meta = chunks()
      .flatMap(({ events }) => events)
      .find(({ type }) => type === 4);
    expect(meta?.data['href']).toMatch(/\/personal\?q=\[email\]#\/r$/);
  });

  it('are hidden if a page puts them into a marked part of a component, and shown beside it', async () => {
    stage.collector.recording = 'on';
    const card = (id: string): string =>
      `<x-card id="${id}">Belova<b title="Belova">Belova<i>Belova</i></b><em slot="free">Open ${id}</em></x-card>`;
    stage.site.pages.set('/slotted', {
      body: `${card('mask')}${card('private')}${card('block')}<script>
        for (const card of document.querySelectorAll('x-card'))
          card.attachShadow({ mode: 'open' }).innerHTML =
            '<p data-svc-' + card.id + '><slot></slot></p><slot name="free"></slot>';
      </script>`,
    });
    const page = await stage.open('/slotted');
    await until(() => isRecording(page), 'a recording');
    await inPage(
      page,
      `for (const card of document.querySelectorAll('x-card')) {
        card.firstChild.data = 'Morozova';
        card.querySelector('i').firstChild.data = 'Morozova';
        card.querySelector('b').setAttribute('title', 'Morozova');
        card.querySelector('b').insertAdjacentHTML('beforeend', '<u>Morozova</u>');
        card.insertAdjacentHTML('beforeend', '<u>Morozova</u>');
        card.querySelector('em').append(' changed');
      }`,
    );
    await until(() => (text().match(/ changed/g) ?? []).length === 3, 'the changes');
    await page.close();
    expect(text()).not.toMatch(/Belova|Morozova/);
    for (const id of ['mask', 'private', 'block']) expect(text()).toContain(`Open ${id}`);
  });

  it('are handled in linear time when they become empty, even thousands of adjacent ones', async () => {
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

  // proves: decisions-privacy/mask-texts
  it('are all masked if the site says so', async () => {
    stage.collector.masksTexts = true;
    const shown = await recordPersonal('/masked');
    expect(shown).not.toMatch(/Cabinet|Order|Call|Changed|in the|anna/);
    expect(shown).toContain('M8 916 555');
    expect(shown).toContain('rgb(1, 2, 3)');
  });
});
