/** Entry point of the thread that solves models, so that nothing else in the process waits for it. */
import { readFileSync, writeFileSync } from 'node:fs';
import type { SolvedPart } from '../../domain/training/trainingMessages.ts';
import { MAX_MODEL_ITEMS } from '../../output/models/itemModel.ts';
import { decodeModel, encodeModel } from '../../output/models/modelFile.ts';
import { arrangeEvents } from '../../output/training/rows/arrangeEvents.ts';
import { companionsOf } from '../../output/training/companions.ts';
import { chooseHyperparameters } from '../../output/training/evaluate/chooseHyperparameters.ts';
import { decodeColumns, encodeColumns } from '../../output/training/solve/columnFile.ts';
import type { Evidence } from '../../output/training/solve/columnSolver.ts';
import {
  decodeTrainingData,
  encodeTrainingData,
  type TrainingData,
} from '../../output/training/rows/interactionFile.ts';
import type { TrainingSettings } from '../../output/training/evaluate/hyperparameters.ts';
import {
  assembleModel,
  assemblePairs,
  evidenceFor,
  plannedColumns,
  solveColumns,
} from '../../output/training/training.ts';
import { giveThreadIdlePriority } from '../../platform/process/niceness.ts';
import { serve } from '../../providers/builtin/threads/serve.ts';
import type {
  Answers,
  ArrangeQuestion,
  AssembleQuestion,
  ChooseQuestion,
  PairQuestion,
  PlanQuestion,
  SolverQuestion,
  SolveQuestion,
} from './solverMessages.ts';

// Threads that answer requests go first.
giveThreadIdlePriority();

/** Data of the last training, kept because the ranges of its columns are solved one after another. */
let kept: { modelId: string; data: TrainingData } | undefined;
let keptEvidence: { modelId: string; part: SolvedPart; evidence: Evidence } | undefined;

serve((question: SolverQuestion): Answers[keyof Answers] => {
  if (question.step === 'arrange') return arrange(question);
  if (question.step === 'choose') return chooseSettings(question);
  if (question.step === 'plan') return planColumns(question);
  if (question.step === 'solve') return solveRange(question);
  if (question.step === 'pair') return pair(question);
  return assemble(question);
});

function arrange({ data, events, deleted, forgotten }: ArrangeQuestion): Answers['arrange'] {
  // An earlier training that produced no model may have left its data here.
  evict();
  const interactions = arrangeEvents(events, new Set(deleted), MAX_MODEL_ITEMS);
  const { rowIds: forgottenRows, items: forgottenItems } = forgotten;
  writeFileSync(data, encodeTrainingData({ interactions, forgottenItems, forgottenRows }));
  const { ids, offsets, items } = interactions;
  return { events: items.length, items: ids.length, people: offsets.length - 1 };
}

function dataOf({ modelId, data: path }: SolverQuestion): TrainingData {
  if (kept?.modelId === modelId) return kept.data;
  evict();
  kept = { modelId, data: decodeTrainingData(readFileSync(path)) };
  return kept.data;
}

function evidenceOf(question: SolverQuestion, part: SolvedPart, settings: TrainingSettings): Evidence {
  const { modelId } = question;
  if (keptEvidence?.modelId === modelId && keptEvidence.part === part) return keptEvidence.evidence;
  keptEvidence = undefined;
  keptEvidence = { modelId, part, evidence: evidenceFor(dataOf(question).interactions, part, settings) };
  return keptEvidence.evidence;
}

function evict(): void {
  kept = undefined;
  keptEvidence = undefined;
}

function chooseSettings(question: ChooseQuestion): Answers['choose'] {
  const { sampleOf, reference, published } = question;
  const choice = chooseHyperparameters(dataOf(question).interactions, { sampleOf, reference, published });
  // Nothing will be solved, so the data is no longer needed.
  if (!choice || choice.reason !== null) evict();
  return choice ?? { settings: null, quality: null, reason: 'too_little_data' };
}

function planColumns(question: PlanQuestion): Answers['plan'] {
  const { interactions, forgottenItems } = dataOf(question);
  const published = decodeModel(readFileSync(question.published));
  const planned = plannedColumns(interactions, question.settings, published, forgottenItems);
  const write = (part: SolvedPart): number => {
    writeFileSync(question.into[part], planned[part]);
    return planned[part].length;
  };
  return { taste: write('taste'), transition: write('transition') };
}

function solveRange(question: SolveQuestion): Answers['solve'] {
  const { range, settings } = question;
  const all = question.plan === null ? null : readNumbers(question.plan);
  const targets = Uint32Array.from(
    { length: range.to - range.from },
    (_, index) => all?.[range.from + index] ?? range.from + index,
  );
  const evidence = evidenceOf(question, range.part, settings);
  writeFileSync(question.into, encodeColumns(solveColumns(evidence, targets, settings[range.part])));
  return null;
}

function assemble(question: AssembleQuestion): Answers['assemble'] {
  const { interactions, forgottenRows } = dataOf(question);
  const read = (part: SolvedPart) => question.columns[part].map((path) => decodeColumns(readFileSync(path)));
  const model = assembleModel({
    id: question.modelId,
    data: interactions,
    settings: question.settings,
    solved: { taste: read('taste'), transition: read('transition') },
    published: question.published === null ? null : decodeModel(readFileSync(question.published)),
  });
  writeFileSync(question.into, encodeModel(model));
  evict();
  return { forgottenRows, companions: companionsOf(model) };
}

function pair(question: PairQuestion): Answers['pair'] {
  const { interactions, forgottenRows } = dataOf(question);
  const pairs = assemblePairs(question.modelId, interactions);
  writeFileSync(question.into, encodeModel(pairs));
  evict();
  return { hasPairs: pairs.together.columns.length > 0, forgottenRows };
}

function readNumbers(path: string): Uint32Array {
  const bytes = readFileSync(path);
  return Uint32Array.from({ length: bytes.length / 4 }, (_, index) => bytes.readUInt32LE(index * 4));
}
