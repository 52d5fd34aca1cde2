import { describe, expect, it } from '@jest/globals';
import { plainText, withoutOpenEnd } from '../../../domain/items/plainText.ts';

describe('the words of a text in HTML', () => {
  it('have a line for each block, and no tags, comments, scripts or character references', () => {
    const html =
      '<div class="a"><h1>Обзор</h1><!-- черновик --><p>Мы <b>тестировали</b> Xiaomi&nbsp;S10 &laquo;дома&raquo;.<br/>Долго.</p>' +
      '<ul><li>Плюсы: цена</li><li>Минусы: шум</li></ul><script>var a = "<p>";</script><style>p{}</style><img src="https://e.example/a.jpg"></div>';
    expect(plainText(html).trim()).toBe(
      'Обзор\n\nМы тестировали Xiaomi S10 «дома».\nДолго.\n\n- Плюсы: цена\n\n- Минусы: шум',
    );
  });

  it.each([
    'List<string> and a < b > c',
    'use the <video> element',
    'x <- 1; y <- 2',
    '1 & 2 && 3, AT&T; &unknown;',
    'a\n\n\n\nb',
    'Close each paragraph with </p>. The <style> element holds the rules.',
    'If a <b and c> d then </p>',
  ])('are the text itself if it has no markup: %s', (text) => expect(plainText(text)).toBe(text));

  it('keep what follows a script or style that is never closed', () =>
    expect(plainText('<p>The <style> element</p><p>holds the rules.</p>')).toContain('holds the rules.'));

  it('leave out a script whose closing tag has a space', () =>
    expect(plainText('<p>Tram</p><script>var a = 1;</script ><p>Bus</p>').trim()).toBe('Tram\n\nBus'));

  it('keep what follows an open script after letters that are longer in lower case', () =>
    expect(plainText(`<p>${'İ'.repeat(30)}</p><script>1</script><script>x <p>The rest</p>`)).toContain('The rest'));

  it('are decoded without markup too', () =>
    expect(plainText('Tom &amp; Jerry &#8212; &#x2014; &#39;x&#39; &#0;')).toBe("Tom & Jerry — — 'x' \u0020"));

  it.each([
    ['по&shy;рог', 'порог'],
    ['по&shyрог &frac12;', 'порог ½'],
    ['по&zwnj;рог по&zwj;рог по&ZeroWidthSpace;рог', 'порог порог порог'],
    ['&#1087&#1086рог &#x43fорог', 'порог порог'],
    ['&Pcy;&ocy;рог &IOcy;&lcy;ка &zhcy;&iukcy;', 'Порог Ёлка ж&iukcy;'],
    ['?a=1&shyness=2&reg=3 &#; &#x; &constructor;', '?a=1&shyness=2&reg=3 &#; &#x; &constructor;'],
  ])('are decoded as browsers do: %s', (text, plain) => expect(plainText(text)).toBe(plain));

  it('keep a tag that HTML does not have, because it is code', () =>
    expect(plainText('<p>Map&lt;K&gt; is <Foo> here</p>').trim()).toBe('Map<K> is <Foo> here'));

  it('are found in linear time, whatever is left open', () => {
    const timeOf = (text: string): number => {
      const start = process.cpuUsage();
      plainText(text);
      const { user, system } = process.cpuUsage(start);
      return user + system;
    };
    for (const piece of ['<p ', '<!--', '<script>', '</b><style>', '&#', '<br><', '\n ', '\t', '</b>\t']) {
      const text = `<br>${piece.repeat(1_000_000 / piece.length)}`;
      expect([piece, timeOf(text) < 2_000_000]).toEqual([piece, true]);
    }
  });
});

describe('the beginning of a text in HTML', () => {
  it.each([
    ['<p>Tram</p><!--[if gte mso 9]><xml><w:Lsd', '<p>Tram</p>'],
    ['<!-- one --><p>Tram</p><!-- two <!-- three', '<!-- one --><p>Tram</p>'],
    ['<style>a {}</style><p>Tram</p><STYLE type="x">p > a { color', '<style>a {}</style><p>Tram</p>'],
    ['<p>Tram</p><script>if (a < b) document.wri', '<p>Tram</p>'],
    ['<p>Tram</p><p class="lead ma', '<p>Tram</p>'],
    ['<p>Tram</p><', '<p>Tram</p>'],
    ['<p>Tram</p> &nbs', '<p>Tram</p> '],
  ])('does not end within markup: %s', (text, whole) => expect(withoutOpenEnd(text)).toBe(whole));

  it.each(['<p>Tram</p>', '1 < 2 and so on', 'Tom & Jerry', '<!-- one --> <style>a {}</style> İ <b>word'])(
    'is unchanged if it ends in words: %s',
    (text) => expect(withoutOpenEnd(text)).toBe(text),
  );

  it('is found in linear time', () => {
    for (const piece of ['<p ', '<!--', '<script>', '<style', '</style ', '&', '&#'])
      expect(withoutOpenEnd(piece.repeat(200_000)).length).toBeLessThanOrEqual(piece.length * 200_000);
  });
});
