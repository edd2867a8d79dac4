/** Why a string is not valid as one segment of a path. An empty string passes: whether it is required is checked elsewhere. */
export function pathSegmentFaults(text: string): string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((character) => text.includes(character)).map((character) => `may not contain '${character}'`);
}
