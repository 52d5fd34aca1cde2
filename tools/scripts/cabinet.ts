/** `npm run cabinet:build`: builds the cabinet's web app and lists what a browser loads. */
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { buildCabinet, CABINET_DIST } from './cabinet/build.ts';

const started = performance.now();
const isNew = await buildCabinet();
console.log(isNew ? `built in ${Math.round(performance.now() - started)} ms` : 'nothing has changed');
const folder = join(CABINET_DIST, 'assets');
const names = (await readdir(folder)).filter((name) => /\.(?:js|css)$/.test(name)).sort();
for (const name of names) {
  const { size } = await stat(join(folder, name));
  const compressed = await stat(join(folder, `${name}.gz`)).catch(() => ({ size }));
  console.log(`${name}: ${size} bytes, ${compressed.size} gzipped`);
}
