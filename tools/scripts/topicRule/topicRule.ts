/**
 * `node tools/scripts/topicRule/topicRule.ts`: fits the rule by which the built-in analysis accepts topics
 * (providers/builtin/topics/topicProbability.ts) to texts whose topics a person has named, and prints its weights and its
 * accuracy on texts that it was not fitted to. Nothing is written: weights are copied by hand, with a new version of
 * the model's name.
 */
import { parseArgs } from 'node:util';
import { topicWords } from '../../../domain/dictionaries/topicWords.ts';
import { createBuiltinProviders } from '../../../providers/builtin/index.ts';
import { createNearness } from '../../../providers/builtin/topics/topicNearness.ts';
import { featuresOf, FEATURES, WORD_FEATURES } from '../../../providers/builtin/topics/topicProbability.ts';
import { scoreByWords } from '../../../providers/builtin/topics/topicWordings.ts';
import { chooseLikely, isVague } from '../../../providers/builtin/topics/topics.ts';
import { zonesOf } from '../../../providers/builtin/text/weightedTextZones.ts';
import { resolveSentenceEncoderDir } from '../engines/index.ts';
import { chanceOf, fitLogistic, type Example } from './logisticRegression.ts';
import { readPieces, type LabelledText } from './pieces.ts';

const FOLDS = 6;

const { values } = parseArgs({ options: { words: { type: 'boolean', default: false }, show: { type: 'boolean' } } });
const names = values.words ? WORD_FEATURES : FEATURES;
const pieces = await readPieces();
const providers = createBuiltinProviders({
  tessdataDirs: [],
  sentenceEncoderDir: await resolveSentenceEncoderDir({ report: console.error, env: process.env }),
});
const { similaritiesOf } = createNearness(providers.embedding);
const context = { signal: new AbortController().signal, progress: () => undefined };

interface ScoredText extends LabelledText {
  /** The features of each topic, in the order of {@link topicWords}. */
  features: { id: string; values: number[] }[];
}
const rated: ScoredText[] = [];
for (const piece of pieces) {
  const { zones } = zonesOf(piece.item);
  const { scores, words } = scoreByWords(zones);
  const nearness = values.words ? null : ((await similaritiesOf(piece.item, context))?.toTopics ?? null);
  const features = featuresOf(scores, words, nearness);
  rated.push({
    ...piece,
    features: [...features].map(([id, one]) => ({ id, values: names.map((name) => one[name]) })),
  });
}
await providers.close();

const examplesOf = (all: readonly ScoredText[]): Example[] =>
  all.flatMap(({ features, right }) =>
    features.filter(({ id }) => !isVague(id)).map(({ id, values: inputs }) => ({ inputs, isTrue: right.has(id) })),
  );

/** The rule never accepts topics without a word in the text. */
const isMentioned = (inputs: readonly number[]): boolean =>
  inputs.some((value, at) => names[at] === 'has' && value > 0);
const documents = [...new Set(rated.map(({ document }) => document))].toSorted();
const foldOf = new Map(documents.map((document, index) => [document, index % FOLDS]));
const judged = Array.from({ length: FOLDS }, (_, fold) => {
  const model = fitLogistic(examplesOf(rated.filter(({ document }) => foldOf.get(document) !== fold)));
  return rated
    .filter(({ document }) => foldOf.get(document) === fold)
    .map((piece) => ({
      piece,
      chances: new Map(
        piece.features.map(
          ({ id, values: inputs }) => [id, isMentioned(inputs) ? chanceOf(model, inputs) : 0] as const,
        ),
      ),
    }));
}).flat();

const kinds = [...new Set(rated.map(({ kind }) => kind))];
console.log(
  'Texts that the rule was not fitted to; percent: right topics / texts with a topic / texts with a right topic',
);
for (const least of [0.2, 0.25, 0.3, 0.35, 0.4, 0.5]) {
  const cells = kinds.map((kind) => {
    const own = judged.filter(({ piece }) => piece.kind === kind);
    const answers = own.map(({ piece, chances }) => ({ piece, ids: chooseLikely(chances, least) }));
    if (values.show && least === 0.3)
      for (const { piece, ids } of answers)
        console.log(
          kind,
          '|',
          (piece.item.title ?? piece.item.transcripts[0] ?? '').slice(0, 60),
          '|',
          ids.map((id) => (piece.right.has(id) ? id : `✗${id}`)).join(' '),
        );
    const given = answers.reduce((sum, { ids }) => sum + ids.length, 0);
    const right = answers.reduce((sum, { piece, ids }) => sum + ids.filter((id) => piece.right.has(id)).length, 0);
    const answered = answers.filter(({ ids }) => ids.length > 0).length;
    const hit = answers.filter(({ piece, ids }) => ids.some((id) => piece.right.has(id))).length;
    const shown = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(0)}`;
    return `${kind} ${shown(right, given)}/${shown(answered, own.length)}/${shown(hit, own.length)}`;
  });
  console.log(`threshold ${least}: ${cells.join('  ')}`);
}
const model = fitLogistic(examplesOf(rated));
console.log(
  `bias ${model.bias.toFixed(3)}`,
  Object.fromEntries(names.map((name, at) => [name, Number(model.weights[at]?.toFixed(3))])),
);
console.log(`${documents.length} documents, ${pieces.length} pieces, ${topicWords.length} topics`);
