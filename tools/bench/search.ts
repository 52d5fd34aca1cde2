/**
 * `npm run bench:search` measures what searches among 100,000 documents cost and find. `-- 10000` uses fewer documents.
 */
import { resolveSentenceEncoderDir } from '../scripts/engines/index.ts';
import { measureCost } from './search/cost.ts';
import { measureQuality } from './search/quality.ts';
import { report } from './support/report.ts';

const folder = await resolveSentenceEncoderDir({ report: console.error, env: process.env });
if (folder === null) throw new Error('without the sentence encoder there is no meaning to search by');
process.env['SENTENCE_ENCODER_DIR'] = folder;
const quality = await measureQuality();
report('search', [...quality, ...measureCost(Number(process.argv[2] ?? 100_000))]);
