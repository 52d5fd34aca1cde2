/** `npm run tag:build`: bundles the browser tag into clients/tag/dist. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildTag, TAG_BUNDLES, TAG_DIST } from './tag/build.ts';

await buildTag();
for (const name of Object.keys(TAG_BUNDLES)) {
  const bundle = await readFile(join(TAG_DIST, name));
  console.log(`clients/tag/dist/${name}: ${bundle.length} bytes, ${gzipSync(bundle, { level: 9 }).length} gzipped`);
}
