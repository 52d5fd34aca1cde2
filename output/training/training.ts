/** The steps of a training, from the data to a model. */
import type { SolvedPart } from '../../domain/training/trainingMessages.ts';
import type { Blend } from '../models/itemModel.ts';
import type { StoredItemModel } from '../models/modelFile.ts';
import { ColumnSolver, evidenceOf, type Columns, type Evidence } from './solve/columnSolver.ts';
import { wholeOf, type Interactions } from './rows/interactions.ts';
import { forgottenColumns, formerModel, grownItems, withoutTargets, type FormerModel } from './solve/columnsToSolve.ts';
import { sessionSteps } from './rows/sessionRows.ts';
import type { TrainingSettings } from './evaluate/hyperparameters.ts';
import { peopleByItem, tasteRows } from './rows/tasteRows.ts';
import { togetherWeights } from './orderedTogether.ts';
import { rowsOf } from './solve/columnsToRows.ts';

/** Returns the training input for the columns of a part. */
export function evidenceFor(data: Interactions, part: SolvedPart, settings: TrainingSettings): Evidence {
  const items = data.ids.length;
  if (part === 'taste') return evidenceOf(tasteRows(data, wholeOf(data), settings), items);
  const { past, next } = sessionSteps(data, wholeOf(data));
  return evidenceOf(past, items, next);
}

export function solveColumns(
  evidence: Evidence,
  targets: Uint32Array,
  { neighbours, lambda }: { neighbours: number; lambda: number },
): Columns {
  const [columns] = new ColumnSolver(evidence, neighbours).solve(targets, [lambda]);
  if (!columns) throw new Error('one λ did not give exactly one set of columns');
  return columns;
}

/** Returns how many people met each item; only the latest items of each person count. */
export function metBy(data: Interactions, settings: TrainingSettings): Uint32Array {
  return peopleByItem(tasteRows(data, wholeOf(data), settings), data.ids.length);
}

/** Returns the columns to solve again, ascending. */
export function plannedColumns(
  data: Interactions,
  settings: TrainingSettings,
  model: StoredItemModel,
  forgottenItems: readonly string[],
): Record<SolvedPart, Uint32Array> {
  const former = formerModel(model, data.ids);
  const names = new Set(forgottenItems);
  const forgotten = new Set([...data.ids.keys()].filter((item) => names.has(data.ids[item] ?? '')));
  const grown = grownItems(former.people, metBy(data, settings));
  const plan = (part: SolvedPart): Uint32Array => {
    const was = { columns: former.columns[part], orphaned: former.orphaned[part] };
    const isForgotten = forgotten.size + was.orphaned.size > 0;
    const affected = isForgotten
      ? forgottenColumns(evidenceFor(data, part, settings), settings[part].neighbours, was, forgotten)
      : [];
    return Uint32Array.from(new Set([...affected, ...grown])).sort();
  };
  return { taste: plan('taste'), transition: plan('transition') };
}

export interface SolvedColumns {
  taste: readonly Columns[];
  transition: readonly Columns[];
}

export interface Assembly {
  id: string;
  data: Interactions;
  settings: TrainingSettings;
  solved: SolvedColumns;
  /** The published model, whose other columns are kept; null when all columns are solved. */
  published: StoredItemModel | null;
}

/** Assembles a model from its columns. */
export function assembleModel({ id, data, settings, solved, published }: Assembly): StoredItemModel {
  const items = data.ids.length;
  const former = published === null ? null : formerModel(published, data.ids);
  const rows = (part: SolvedPart) => rowsOf([...solved[part], ...keptColumns(former, part, solved[part])], items);
  return {
    id,
    ids: data.ids,
    people: peopleAtSolving(metBy(data, settings), former, solved.taste),
    taste: rows('taste'),
    transition: rows('transition'),
    together: togetherWeights(data),
    blend: settings.blend,
  };
}

/** A model of pairs alone needs no weights, because it ranks nothing for people. */
const NO_BLEND: Blend = { halfLifeEvents: 1, taste: 0, transition: 0, content: 0, popularity: 0 };

/** Returns only what is ordered together, as a model whose other parts are empty. */
export function assemblePairs(id: string, data: Interactions): StoredItemModel {
  const items = data.ids.length;
  const none = rowsOf([], items);
  return {
    id,
    ids: data.ids,
    people: new Uint32Array(items),
    taste: none,
    transition: none,
    together: togetherWeights(data),
    blend: NO_BLEND,
  };
}

function keptColumns(former: FormerModel | null, part: SolvedPart, solved: readonly Columns[]): Columns[] {
  if (former === null) return [];
  const again = new Set(solved.flatMap(({ targets }) => [...targets]));
  return [withoutTargets(former.columns[part], again)];
}

/** Returns the number of people at the time when each column was solved. */
function peopleAtSolving(now: Uint32Array, former: FormerModel | null, solved: readonly Columns[]): Uint32Array {
  if (former === null) return now;
  const people = former.people.slice();
  for (const { targets } of solved) for (const target of targets) people[target] = now[target] as number;
  return people;
}
