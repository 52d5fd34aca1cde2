/** Sizes of the numbers of matrices, in bytes. */
export const DOUBLE_BYTES = 8;
export const FLOAT_BYTES = 4;
export const INTEGER_BYTES = 2;
