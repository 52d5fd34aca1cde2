import { describe, expect, it } from '@jest/globals';
import { decodeSubtitles } from '../../../../activities/media/containers/subtitleText.ts';

const RUSSIAN = 'WEBVTT\n\n00:00.500 --> 00:02.500\nДобрый вечер, уважаемые зрители!\n\n00:03.000 --> 00:05.000\nА?\n';
const ENGLISH = 'WEBVTT\n\n00:00.500 --> 00:02.500\nThe caf\xe9 doesn\x92t open \x96 yet.\n';

/** Encodes in an encoding with a byte for each character, which Node only decodes. */
function encode(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8') return Buffer.from(text);
  const table = new TextDecoder(encoding).decode(Uint8Array.from({ length: 256 }, (_, byte) => byte));
  return Buffer.from([...text].map((character) => table.indexOf(character)));
}

describe('decodeSubtitles', () => {
  it.each(['utf-8', 'windows-1251', 'koi8-r'])('reads Russian in %s', (encoding) => {
    expect(decodeSubtitles(encode(RUSSIAN, encoding))).toBe(RUSSIAN);
    expect(decodeSubtitles(encode(RUSSIAN.toUpperCase(), encoding))).toBe(RUSSIAN.toUpperCase());
  });

  it('reads a single short cue', () => {
    for (const encoding of ['windows-1251', 'koi8-r'])
      expect(decodeSubtitles(encode('00:01.000 --> 00:02.000\nДа.', encoding))).toMatch(/\nДа\.$/);
  });

  it.each(['Павловна проехала первой.', 'КАЗАНИ.\nВЫСШЕЙ ШКОЛЫ ЭКОНОМИКИ.', 'ПУШКИН В ДЕРЕВНЕ.\nЛЕКЦИЮ ПРОЧЁЛ ПРОФ.'])(
    'reads few words with rare letters: %j',
    (text) => {
      for (const encoding of ['windows-1251', 'koi8-r']) expect(decodeSubtitles(encode(text, encoding))).toBe(text);
    },
  );

  it('reads Ukrainian', () => {
    const text = 'Сьогодні ми говоримо про бджіл і мед. Їхній вулик стоїть у саду.';
    expect(decodeSubtitles(encode(text, 'windows-1251'))).toBe(text);
  });

  it('reads accents and quotation marks of windows-1252', () => {
    expect(decodeSubtitles(Buffer.from(ENGLISH, 'latin1'))).toContain('The café doesn’t open – yet.');
    const french = 'Ma sœur habite depuis toujours au cœur de la ville, près du musée.';
    expect(decodeSubtitles(encode(french, 'windows-1252'))).toBe(french);
  });

  it('reads windows-1251 characters whose bytes happen to be valid UTF-8', () => {
    const text = `${RUSSIAN}\n00:06.000 --> 00:07.000\nЯ…\n`;
    expect(decodeSubtitles(encode(text, 'windows-1251'))).toBe(text);
  });

  it('keeps the other lines of a file with a damaged one', () => {
    const damaged = Buffer.concat([Buffer.from('Добрый вечер\nМы '), Buffer.of(0xd0), Buffer.from('здесь\n')]);
    expect(decodeSubtitles(damaged)).toBe('Добрый вечер\nМы здесь\n');
  });

  it('needs little memory for eight megabytes of line breaks', () => {
    const lines = Buffer.alloc(8 * 1024 * 1024, '\n');
    lines[0] = 0xe0;
    const before = process.memoryUsage().rss;
    expect(decodeSubtitles(lines)?.length).toBe(lines.length);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it.each([
    ['notes', ['♪', '♪', '♪']],
    ['a countdown', ['3', '2', '1', '0']],
    ['words of one character', ['好', '来', '走']],
    ['Russian words of one letter', ['А', 'И', 'О']],
    ['a countdown before a title', ['3', '2', '1', 'Go']],
  ])('keeps %s', (_what, lines) => {
    const text = `WEBVTT\n${lines.map((line, at) => `\n00:0${at}.000 --> 00:0${at}.900\n${line}\n`).join('')}`;
    expect(decodeSubtitles(Buffer.from(text))).toBe(text);
  });

  it('keeps a few stray control characters', () => {
    const text = `${RUSSIAN}\u001a`;
    expect(decodeSubtitles(Buffer.from(text))).toBe(text);
  });

  it('invents nothing for what it does not recognise', () => {
    const unknown = {
      'Czech in windows-1250': encode('Příliš žluťoučký kůň úpěl ďábelské ódy.', 'windows-1250'),
      'Polish in windows-1250': encode('Zażółć gęślą jaźń, proszę państwa.', 'windows-1250'),
      'Greek in windows-1253': encode('Καλησπέρα σας, αγαπητοί θεατές.', 'windows-1253'),
      'Chinese in GBK': Buffer.from('ced2c3c7bdf1ccecccb8ccb8c3dbb7e4bacdb7e4c3dba1a3', 'hex'),
      'UTF-16 that was cut at its first zero': Buffer.from('feff0414043e04310440044b0439', 'hex'),
      'the same without a byte order mark': Buffer.from('14043e04310440044b04390a', 'hex'),
      'English UTF-16 that was cut at its first zero': Buffer.from(
        'WEBVTT\n\n00:00.500 --> 00:00.900\nH\n\n00:01.500 --> 00:01.900\nI\n',
      ),
    };
    for (const [name, bytes] of Object.entries(unknown)) expect([name, decodeSubtitles(bytes)]).toEqual([name, null]);
  });
});
