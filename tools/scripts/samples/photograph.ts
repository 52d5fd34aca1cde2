/**
 * The image sample: an enamel sign on a brick wall at dusk, drawn, then put into perspective and given grain like a
 * photograph.
 */
import { join } from 'node:path';
import { drawPng, escapeXml, seededRandom, svg } from './svg.ts';
import { SIGN } from './texts.ts';
import type { Tools } from './tools.ts';

const WIDTH = 1280;
const HEIGHT = 960;
const BRICK = { width: 128, height: 44, joint: 5 };

/** Positions of the sign's corners on the wall: x, y of top left, top right, bottom left, bottom right. */
const CORNERS = [235, 205, 1085, 130, 250, 745, 1070, 790] as const;

/** Makes the JPEG at `path`. */
export async function makePhotograph(tools: Tools, workDir: string, path: string): Promise<void> {
  const wall = join(workDir, 'wall.png');
  const board = join(workDir, 'board.png');
  const light = join(workDir, 'light.png');
  await drawPng(wallSvg(), wall);
  await drawPng(boardSvg(), board);
  await drawPng(lightSvg(), light);
  await tools.ffmpeg([
    '-i',
    wall,
    '-i',
    board,
    '-i',
    light,
    '-filter_complex',
    photographFilter(),
    '-map',
    '[photo]',
    '-frames:v',
    '1',
    '-q:v',
    '4',
    path,
  ]);
}

function photographFilter(): string {
  const [x0, y0, x1, y1, x2, y2, x3, y3] = CORNERS;
  const perspective = `perspective=x0=${x0}:y0=${y0}:x1=${x1}:y1=${y1}:x2=${x2}:y2=${y2}:x3=${x3}:y3=${y3}:sense=destination:interpolation=cubic`;
  return [
    '[0]format=yuv444p,gblur=sigma=1.6[wall]',
    `[1]format=yuva444p,${perspective},gblur=sigma=0.7,split[board][cast]`,
    // The sign's own outline, black, blurred and moved away from the lamp, is its shadow.
    '[cast]colorchannelmixer=rr=0:gg=0:bb=0:aa=0.75,format=yuva444p,gblur=sigma=14:planes=15[shadow]',
    '[wall][shadow]overlay=x=22:y=26[shaded]',
    '[shaded][board]overlay[scene]',
    '[scene][2]overlay,vignette=angle=PI/6,noise=all_seed=7:alls=9:allf=u,eq=contrast=1.04:saturation=0.92,format=yuvj420p[photo]',
  ].join(';');
}

function wallSvg(): string {
  const random = seededRandom(3);
  const bricks: string[] = [];
  for (let row = 0; row * BRICK.height < HEIGHT; row += 1) {
    const shift = row % 2 === 0 ? 0 : -BRICK.width / 2;
    for (let x = shift; x < WIDTH; x += BRICK.width) bricks.push(brick(x, row * BRICK.height, random));
  }
  return svg(WIDTH, HEIGHT, `<rect width="100%" height="100%" fill="#9b9186"/>${bricks.join('')}`);
}

function brick(x: number, y: number, random: () => number): string {
  const shade = 0.8 + random() * 0.35; // one tone, lighter or darker: real bricks of one wall differ little in hue
  const red = Math.round(146 * shade);
  const green = Math.round((72 + random() * 12) * shade);
  const blue = Math.round((54 + random() * 10) * shade);
  const width = BRICK.width - BRICK.joint - random() * 2;
  const height = BRICK.height - BRICK.joint - random() * 2;
  const stain = `<ellipse cx="${x + random() * width}" cy="${y + random() * height}" rx="${10 + random() * 30}" ry="${4 + random() * 10}" fill="#2b1c16" opacity="${random() * 0.25}"/>`;
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="4" fill="rgb(${red},${green},${blue})"/>${stain}`;
}

/** Draws the sign over the whole canvas; the perspective filter moves it into place. */
function boardSvg(): string {
  const text = (y: number, size: number, content: string, fill = '#f4f1e6'): string =>
    `<text x="770" y="${y}" font-family="DejaVu Sans Condensed, DejaVu Sans" font-weight="bold" font-size="${size}" fill="${fill}" text-anchor="middle">${escapeXml(content)}</text>`;
  return svg(
    WIDTH,
    HEIGHT,
    [
      '<defs><linearGradient id="enamel" x1="0" y1="0" x2="1" y2="1"><stop offset="0" stop-color="#2f5c96"/><stop offset="0.55" stop-color="#1d4276"/><stop offset="1" stop-color="#142f57"/></linearGradient></defs>',
      '<rect x="4" y="4" width="1272" height="952" rx="46" fill="#d9d4c4"/>',
      '<rect x="22" y="22" width="1236" height="916" rx="34" fill="url(#enamel)"/>',
      '<rect x="46" y="46" width="1188" height="868" rx="24" fill="none" stroke="#f4f1e6" stroke-width="8"/>',
      '<circle cx="214" cy="302" r="112" fill="#f4f1e6"/>',
      `<text x="214" y="368" font-family="DejaVu Sans" font-weight="bold" font-size="180" fill="#1d4276" text-anchor="middle">${SIGN.number}</text>`,
      text(268, 78, SIGN.russian[0]),
      text(388, 78, SIGN.english[0]),
      '<rect x="110" y="500" width="1060" height="6" fill="#f4f1e6"/>',
      `<g transform="translate(-130 0)">${text(640, 96, SIGN.russian[1])}${text(800, 96, SIGN.english[1], '#ffd873')}</g>`,
      rivetsAndRust(),
    ].join(''),
  );
}

function rivetsAndRust(): string {
  const random = seededRandom(11);
  return [
    [78, 78],
    [1202, 78],
    [78, 882],
    [1202, 882],
  ]
    .map(([x = 0, y = 0]) => {
      const drip = `<path d="M${x - 7} ${y} q 6 ${20 + random() * 10} 4 ${30 + random() * 14} q 8 -20 10 -44 z" fill="#7a3d17" opacity="0.55"/>`;
      return `${drip}<circle cx="${x}" cy="${y}" r="15" fill="#8d8778"/><circle cx="${x - 4}" cy="${y - 4}" r="6" fill="#d9d4c4"/>`;
    })
    .join('');
}

/** Draws a warm lamp from above left, dusk from below, and a faint reflection on the enamel. */
function lightSvg(): string {
  return svg(
    WIDTH,
    HEIGHT,
    [
      '<defs><radialGradient id="lamp" cx="0.32" cy="0.02" r="0.85"><stop offset="0" stop-color="#ffdf9e" stop-opacity="0.5"/><stop offset="0.45" stop-color="#ffb45c" stop-opacity="0.1"/><stop offset="1" stop-color="#0b1530" stop-opacity="0.48"/></radialGradient><radialGradient id="gleam"><stop offset="0" stop-color="#fff6df" stop-opacity="0.3"/><stop offset="1" stop-color="#fff6df" stop-opacity="0"/></radialGradient></defs>',
      '<rect width="100%" height="100%" fill="url(#lamp)"/>',
      '<ellipse cx="520" cy="235" rx="270" ry="60" fill="url(#gleam)" transform="rotate(-6 520 235)"/>',
    ].join(''),
  );
}
