import { describe, expect, it } from '@jest/globals';
import { createScreen } from '../../../../tools/scripts/dev/screen.ts';

const ESCAPE = '\u001b';

/** Returns what a terminal would show. Only line ends, cursor-up and clear-to-end are interpreted. */
function show(written: string): string[] {
  let lines: string[] = [''];
  for (const [, up, cleared, text] of written.replaceAll(ESCAPE, '^').matchAll(/\^\[(\d+)A|(\^\[J)|([^^]+)/g)) {
    if (up !== undefined) lines = lines.slice(0, lines.length - Number(up));
    if (cleared !== undefined) lines[lines.length - 1] = '';
    if (text !== undefined) lines = [...lines.slice(0, -1), ...`${lines.at(-1)}${text}`.split('\n')];
  }
  return lines;
}

describe('the screen', () => {
  function make(isTTY: boolean): { screen: ReturnType<typeof createScreen>; shown: () => string[] } {
    let written = '';
    const stdout = { isTTY, columns: 20, write: (text: string) => ((written += text), true) };
    return { screen: createScreen(stdout as Parameters<typeof createScreen>[0]), shown: () => show(written) };
  }

  it('prints lines above a live block', () => {
    const { screen, shown } = make(true);
    screen.print('first\n');
    screen.live('a 1\nb 1\n');
    screen.print('second\n');
    screen.live('a 2\nb 1\n');
    screen.live(null);
    screen.print('third\n');
    expect(shown()).toEqual(['first', 'second', 'a 2', 'b 1', 'third', '']);
  });

  it('cuts lines that the terminal would wrap', () => {
    const { screen, shown } = make(true);
    screen.live(`${'x'.repeat(30)}\n`);
    screen.live('short\n');
    screen.live(`${'y'.repeat(30)}\n`);
    expect(shown()).toEqual(['y'.repeat(19), '']);
  });

  it('has no live block outside a terminal', () => {
    const { screen, shown } = make(false);
    screen.live('a\n');
    screen.print('line\n');
    expect(shown()).toEqual(['line', '']);
  });
});
