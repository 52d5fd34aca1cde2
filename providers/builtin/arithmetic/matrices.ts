/** Matrices of 32-bit floats and 16-bit integers in a WebAssembly memory, and operations on them. */
import { instanceOf } from '../../../domain/wasm.ts';
import { createAllocator, type Allocator } from './allocator.ts';
import { convolveFunctions, type ConvolveRow } from './convolveFunctions.ts';
import { FLOAT_BYTES } from './elementSizes.ts';
import { multiplyFunctions } from './multiplyFunctions.ts';
import { normaliseFunctions } from './normaliseFunctions.ts';
import { createProducts, type ProductFunctions, type Products } from './weightProducts.ts';
import { roundFunctions, rowFunctions } from './rowFunctions.ts';
import { createRowOperations, type CompiledRowFunctions, type RowOperations } from './rowOperations.ts';
import { createWeightStore, type WeightStore } from './weights.ts';
import { createWindowOperations, type WindowOperations } from './windows.ts';

export interface Matrices extends Allocator, WeightStore, Products, RowOperations, WindowOperations {}

interface Compiled extends ProductFunctions, CompiledRowFunctions {
  convolveRow: ConvolveRow;
}

/** The upper bound of activations (ReLU6). */
const RELU6_MAX = 6;

/** The bound is stored first, then the factor of `round`; what follows is aligned to the length of a vector. */
const TOP_BYTES = 16;

/** @param floats total number of floats in all matrices */
export function createMatrices(floats: number): Matrices {
  const all = [
    ...multiplyFunctions(),
    ...rowFunctions(),
    ...roundFunctions(),
    ...convolveFunctions(),
    ...normaliseFunctions(),
  ];
  const { memory, functions } = instanceOf(all, floats * FLOAT_BYTES + TOP_BYTES);
  const compiled = functions as Compiled;
  const upperBound = new Float32Array(memory, 0, 1).fill(RELU6_MAX).byteOffset;
  const factor = new Float32Array(memory, FLOAT_BYTES, 1);
  const allocator = createAllocator(memory, TOP_BYTES);
  return {
    ...allocator,
    ...createWeightStore(allocator),
    ...createProducts(compiled),
    ...createRowOperations(compiled, allocator, upperBound, factor),
    ...createWindowOperations(allocator, compiled.convolveRow, upperBound),
  };
}
