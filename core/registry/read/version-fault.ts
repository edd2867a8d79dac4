/** What is wrong with a text as a resource version, in the words of Kubernetes, whose versions are unsigned numbers; undefined if nothing is. */
export function versionFault(version: string): string | undefined {
  const isNumber = /^\d+$/.test(version);
  if (isNumber && Number.isSafeInteger(Number(version))) return undefined;
  // What is below the highest number, but above what this server counts with, is out of range too.
  const problem = isNumber ? 'value out of range' : 'invalid syntax';
  const text = JSON.stringify(version.length > longestShown ? `${version.slice(0, longestShown)}…` : version);
  return `resourceVersion: Invalid value: ${text}: strconv.ParseUint: parsing ${text}: ${problem}`;
}

/** Characters of a version that a message shows. */
const longestShown = 64;
