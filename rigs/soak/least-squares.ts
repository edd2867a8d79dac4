/** How a quantity depends on others, as far as samples tell: `value = constant + sum of factor × quantity`. */
export interface Fit {
  /** Of each quantity. */
  readonly factors: readonly number[];
  /** Standard errors of the factors. Infinite where there are too few samples, or quantities move together. */
  readonly errors: readonly number[];
  /** What the fit says of each sample. */
  readonly fitted: readonly number[];
}

/** Least squares. @param rows the quantities of each sample */
export function leastSquares(rows: readonly (readonly number[])[], values: readonly number[]): Fit {
  const count = rows.length;
  const width = rows[0]?.length ?? 0;
  const mean = (column: readonly number[]) => column.reduce((sum, value) => sum + value, 0) / count;
  const means = Array.from({length: width}, (_, index) => mean(rows.map((row) => row[index]!)));
  const middle = mean(values);
  const centred = rows.map((row) => row.map((value, index) => value - means[index]!));
  const dot = (of: (sample: readonly number[], index: number) => number) => centred.reduce((sum, row, index) => sum + of(row, index), 0);
  const products = means.map((_, i) => means.map((_column, j) => dot((row) => row[i]! * row[j]!)));
  const inverse = inverted(products);
  const unknown = means.map(() => Infinity);
  if (!inverse || count <= width + 1) return {factors: means.map(() => NaN), errors: unknown, fitted: values.map(() => NaN)};
  const moments = means.map((_, i) => dot((row, index) => row[i]! * (values[index]! - middle)));
  const factors = inverse.map((row) => row.reduce((sum, value, j) => sum + value * moments[j]!, 0));
  const fitted = centred.map((row) => row.reduce((sum, value, i) => sum + value * factors[i]!, middle));
  const rest = fitted.reduce((sum, value, index) => sum + (values[index]! - value) ** 2, 0);
  const errors = inverse.map((row, i) => Math.sqrt((Math.max(0, row[i]!) * rest) / (count - width - 1)));
  return {factors, errors, fitted};
}

/** The inverse of a symmetric matrix (Gauss and Jordan); undefined if there is none to speak of. */
function inverted(matrix: readonly (readonly number[])[]): number[][] | undefined {
  const size = matrix.length;
  const rows = matrix.map((row, i) => [...row, ...Array.from({length: size}, (_, j) => (i === j ? 1 : 0))]);
  for (let column = 0; column < size; column++) {
    const pivot = rows[column]![column]!;
    // What is left of a quantity that the others explain is rounding.
    if (!(Math.abs(pivot) > 1e-9 * matrix[column]![column]!)) return undefined;
    rows[column] = rows[column]!.map((value) => value / pivot);
    for (let other = 0; other < size; other++) {
      if (other === column) continue;
      const factor = rows[other]![column]!;
      rows[other] = rows[other]!.map((value, j) => value - factor * rows[column]![j]!);
    }
  }
  return rows.map((row) => row.slice(size));
}
