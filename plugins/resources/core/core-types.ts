/** Quantities by resource name. */
export type Amounts = Record<string, string>;
