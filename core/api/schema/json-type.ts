/** The JSON schema name of a value's type. Numbers without a fraction are integers. */
export function jsonTypeOf(value: unknown): 'null' | 'boolean' | 'integer' | 'number' | 'string' | 'array' | 'object' {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'boolean';
    case 'bigint':
      return 'integer';
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'number';
    default:
      if (value === null || value === undefined) return 'null';
      return Array.isArray(value) ? 'array' : 'object';
  }
}

const ranges: Readonly<Record<string, readonly [bigint, bigint]>> = {
  int32: [-(2n ** 31n), 2n ** 31n - 1n],
  int64: [-(2n ** 63n), 2n ** 63n - 1n],
  uint32: [0n, 2n ** 32n - 1n],
  uint64: [0n, 2n ** 64n - 1n],
};

/** Whether an integer fits its format. An unknown or missing format counts as `int64`. */
export function fitsIntegerFormat(value: number | bigint, format: string | undefined): boolean {
  const [lowest, highest] = ranges[format ?? 'int64'] ?? (ranges['int64'] as readonly [bigint, bigint]);
  return value >= lowest && value <= highest;
}
