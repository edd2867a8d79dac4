/** Maximum number of checks of values against schemas under `allOf` and the like, which may check one value any number of times. */
export const compositionLimit = 150_000;
/** Maximum characters of lists and objects that are compared to find duplicates. */
export const comparisonLimit = 4_000_000;
