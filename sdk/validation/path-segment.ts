/** What keeps a text from being one segment of a path; nothing when it can be one. Empty texts pass: whether one must be there is another rule. */
export function pathSegmentFaults(text: string): string[] {
  if (text === '.' || text === '..') return [`may not be '${text}'`];
  return ['/', '%'].filter((character) => text.includes(character)).map((character) => `may not contain '${character}'`);
}
