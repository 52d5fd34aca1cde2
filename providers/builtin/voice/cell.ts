/** The recurrent part of the voice detector, which takes earlier sound into account. */
import { logistic } from '../../../domain/logistic.ts';
import type { Matrices } from '../arithmetic/matrices.ts';
import { CELL, GATES, transposed } from './layers.ts';
import type { Tensors } from './readOnnxWeights.ts';

export interface CellState {
  hidden: Float32Array;
  cell: Float32Array;
}

/**
 * Returns the probability of a voice in a piece of the batch; `state` is changed, so pieces must be passed in order.
 */
export type Cell = (piece: number, state: CellState) => number;

/**
 * Creates a long short-term memory (LSTM) and the last layer.
 * @param gates output of the previous layers for each piece of a batch
 */
export function createCell(tensors: Tensors, matrices: Matrices, gates: Float32Array): Cell {
  const recurrent = matrices.keep(
    transposed(tensors.floats('model.decoder.rnn.weight_hh', GATES * CELL), GATES, GATES),
    CELL,
    GATES,
  );
  const last = tensors.floats('model.decoder.decoder.2.weight', CELL);
  const [bias = 0] = tensors.floats('model.decoder.decoder.2.bias', 1);
  const from = matrices.take(CELL);
  const added = matrices.take(GATES);
  return (piece, { hidden, cell }) => {
    from.set(hidden);
    matrices.multiply({ data: from, stride: CELL }, recurrent, { data: added, stride: GATES }, 1);
    let score = bias;
    for (let at = 0; at < CELL; at += 1) {
      const gate = (index: number): number =>
        (gates[piece * GATES + index * CELL + at] ?? 0) + (added[index * CELL + at] ?? 0);
      const kept = logistic(gate(1)) * (cell[at] ?? 0) + logistic(gate(0)) * Math.tanh(gate(2));
      cell[at] = kept;
      const value = logistic(gate(3)) * Math.tanh(kept);
      hidden[at] = value;
      score += Math.max(0, value) * (last[at] ?? 0);
    }
    return logistic(score);
  };
}
