/** Solves systems of linear equations with a symmetric positive definite matrix. */

/** Returns the row stride of a matrix of this size: an even number, so that rows come in pairs. */
export const strideOf = (size: number): number => size + (size % 2);

/**
 * Solves A x = b in place: `a` becomes its Cholesky factor, `b` the solution. It works on two rows by two columns at a
 * time: each number read serves two products, which halves the time.
 * @param a the lower triangle, row-major, with {@link strideOf}(size) numbers per row and as many rows
 * @param b {@link strideOf}(size) numbers
 * @returns false when the matrix is not positive definite; `b` is then invalid
 */
export function solveInPlace(a: Float64Array, b: Float64Array, size: number): boolean {
  const stride = strideOf(size);
  if (stride > size) pad(a, b, size, stride);
  if (!factorise(a, stride)) return false;
  substitute(a, b, stride);
  return true;
}

/** Adds a last row that changes nothing. */
function pad(a: Float64Array, b: Float64Array, size: number, stride: number): void {
  a.fill(0, size * stride, size * stride + size);
  a[size * stride + size] = 1;
  b[size] = 0;
}

function factorise(a: Float64Array, n: number): boolean {
  for (let i = 0; i < n; i += 2) {
    const p = i * n;
    const q = p + n;
    for (let j = 0; j <= i; j += 2) {
      const r = j * n;
      const s = r + n;
      let pr = a[p + j] as number;
      let ps = a[p + j + 1] as number;
      let qr = a[q + j] as number;
      let qs = a[q + j + 1] as number;
      for (let k = 0; k < j; k += 1) {
        const x = a[p + k] as number;
        const y = a[q + k] as number;
        const u = a[r + k] as number;
        const v = a[s + k] as number;
        pr -= x * u;
        ps -= x * v;
        qr -= y * u;
        qs -= y * v;
      }
      if (j === i) {
        if (!(pr > 0)) return false;
        const first = Math.sqrt(pr);
        const below = qr / first;
        const rest = qs - below * below;
        if (!(rest > 0)) return false;
        a[p + i] = first;
        a[q + i] = below;
        a[q + i + 1] = Math.sqrt(rest);
        continue;
      }
      const top = 1 / (a[r + j] as number);
      const left = a[s + j] as number;
      const bottom = 1 / (a[s + j + 1] as number);
      pr *= top;
      qr *= top;
      a[p + j] = pr;
      a[q + j] = qr;
      a[p + j + 1] = (ps - pr * left) * bottom;
      a[q + j + 1] = (qs - qr * left) * bottom;
    }
  }
  return true;
}

function substitute(a: Float64Array, b: Float64Array, n: number): void {
  for (let i = 0; i < n; i += 1) {
    let sum = b[i] as number;
    for (let k = 0; k < i; k += 1) sum -= (a[i * n + k] as number) * (b[k] as number);
    b[i] = sum / (a[i * n + i] as number);
  }
  for (let i = n - 1; i >= 0; i -= 1) {
    const value = (b[i] as number) / (a[i * n + i] as number);
    b[i] = value;
    for (let k = 0; k < i; k += 1) b[k] = (b[k] as number) - value * (a[i * n + k] as number);
  }
}
