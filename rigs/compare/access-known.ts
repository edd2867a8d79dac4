import {isDeepStrictEqual} from 'node:util';

interface Difference {
  readonly asked: unknown;
  readonly real: unknown;
  readonly own: unknown;
}

/** Words of older releases in what keeps a server from starting, and those of today. Whoever reads them is a person. */
const olderWords: readonly (readonly [RegExp, string])[] = [
  [/Required value: (?:URL is required|audience can't be empty|valueExpression is required|expression is required)/g, 'Required value'],
  [/prefix can't be set when expression is set/g, 'may not be specified when expression is set'],
  [/key must be lowercase/g, 'must be lowercase'],
  [/requiredValue can't be set when expression is set/g, 'may not be specified when expression is set'],
  [/message can't be set when claim is set/g, 'may not be specified when claim is set'],
  [/must evaluate to bool but got \w+/g, 'must evaluate to bool'],
  [/supported values: "Deny", "NoOpinion"/g, 'supported values: "NoOpinion", "Deny"'],
  [/, jwt\[\d+\]\S+: Invalid value: "[^"]*": k8s\.io, kubernetes\.io and their subdomains are reserved for Kubernetes use/g, ''],
  [/^invalid authentication configuration: /g, ''],
];

/** Differences that stay, and why. */
const known: readonly (readonly [why: string, is: (difference: Difference) => boolean])[] = [
  [
    'A review with metadata is shown with the owners of its fields there, which nobody records of what is not stored.',
    ({real}) => JSON.stringify(real).includes('managedFields'),
  ],
  [
    'Values that are refused are shown as in 1.36 in all releases.',
    ({real}) => /Invalid value: (?:\\"null\\"|authorization\.\w+\{|v1\.ObjectMeta\{)/.test(JSON.stringify(real)),
  ],
  [
    'Why a node may not do something is said as in 1.36 in all releases.',
    ({asked, real, own}) => JSON.stringify(asked).includes('system:node:') && allows(real) === false && allows(own) === false,
  ],
  ['What keeps a server from starting has the words of 1.36 in all releases.', ({real, own}) => isDeepStrictEqual(today(real), today(own))],
  [
    'Keys of the platform are refused in all releases: an issuer could speak for it.',
    ({real, own}) => real === null && typeof own === 'string' && own.includes('reserved for Kubernetes use'),
  ],
];

function allows(answer: unknown): boolean | undefined {
  return (answer as {result?: {allowed?: boolean}} | null)?.result?.allowed;
}

function today(text: unknown): unknown {
  return typeof text === 'string' ? olderWords.reduce((words, [older, newer]) => words.replace(older, newer), text) : text;
}

/** Why a difference stays; undefined if nobody knows. */
export function accessKnown(difference: Difference): string | undefined {
  return known.find(([, is]) => is(difference))?.[0];
}
