/** Versions of ConversionReview that the server supports. */
export const reviewVersions: readonly string[] = ['v1', 'v1beta1'];

/** The first version in a definition's order that the server supports; undefined if there is none. */
export function chosenReviewVersion(preferred: readonly string[]): string | undefined {
  return preferred.find((version) => reviewVersions.includes(version));
}
