/** Versions of ConversionReview that the server speaks. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** The first version in the order of a definition that the server speaks; undefined when there is none. */
export function chosenReviewVersion(preferred: readonly string[]): string | undefined {
  return preferred.find((version) => reviewVersions.includes(version));
}
