/** Normalized quantities by resource name. */
export type ResourceList = Record<string, string>;
