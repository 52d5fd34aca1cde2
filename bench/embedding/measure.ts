/** Process: measures one model and sends the figures to its parent. */
import type { CallContext } from '../../providers/types.ts';
import { measureCost } from './cost.ts';
import { createModel, type ModelName } from './models.ts';
import { readPairs } from './pairs.ts';
import { measureRecall } from './recall.ts';

const name = process.argv[2] as ModelName;
const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };
const pairs = readPairs();
const model = await createModel(name);
const idleBytes = process.memoryUsage.rss();
const cost = await measureCost(model.embedding, pairs, context, idleBytes);
const recall = await measureRecall(model.embedding, pairs, context);
process.send?.([...recall, ...cost].map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })));
await model.close();
