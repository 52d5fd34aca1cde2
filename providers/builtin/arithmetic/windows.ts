/** Depthwise windows of 3 × 3 pixels, which move over a picture. */
import type { Allocator } from './allocator.ts';
import type { ConvolveRow } from './convolveFunctions.ts';
import { FLOAT_BYTES } from './elementSizes.ts';

/** Weights of 3 × 3 depthwise windows. */
export interface Windows {
  channels: number;
  /** Ordered by row of the window, column and channel. */
  weights: Float32Array;
  bias: Float32Array;
}

/** A picture stored row by row; each pixel has the numbers of all its channels. */
export interface Pixels {
  /** Starts at the first pixel that is read or written. */
  data: Float32Array;
  width: number;
}

export interface WindowOperations {
  /**
   * Stores the weights of windows.
   * @throws RangeError if the number of channels is not a multiple of four, or there are too few weights
   */
  keepWindows(weights: Float32Array, bias: Float32Array): Windows;
  /**
   * Computes one pixel of `to` from each 3 × 3 window of `from`, with numbers from 0 to 6: `to.width` × `height`
   * pixels.
   * @param stride pixels from one window to the next, in both directions
   */
  convolve(from: Pixels, windows: Windows, to: Pixels, size: { height: number; stride: number }): void;
}

/** @param top place of the numbers' upper bound in the memory */
export function createWindowOperations({ take }: Allocator, convolveRow: ConvolveRow, top: number): WindowOperations {
  return {
    keepWindows(weights, bias) {
      const channels = bias.length;
      if (channels % 4 !== 0 || weights.length !== 9 * channels)
        throw new RangeError(`${weights.length} numbers cannot be windows of ${channels} channels`);
      const kept = { channels, weights: take(weights.length), bias: take(channels) };
      kept.weights.set(weights);
      kept.bias.set(bias);
      return kept;
    },
    convolve(from, { channels, weights, bias }, to, { height, stride }) {
      const pixel = channels * FLOAT_BYTES;
      for (let row = 0; row < height; row += 1)
        convolveRow(
          from.data.byteOffset + row * stride * from.width * pixel,
          stride * pixel,
          pixel,
          (from.width - 3) * pixel,
          weights.byteOffset,
          bias.byteOffset,
          to.data.byteOffset + row * to.width * pixel,
          top,
          to.width,
        );
    },
  };
}
