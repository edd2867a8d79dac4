import type {JsonObject, JsonValue} from '../../../sdk/index.js';
import type {CompareRequest} from '../compare-request.js';
import {dryRun, newObject, patchTypes, withQuery, type KindContext, type KnownType} from './request-kind.js';

type Parameters = readonly (readonly [string, string])[];

const long = 'm'.repeat(129);
const one =
  (name: string) =>
  (value: string): Parameters => [[name, value]];
/** Of a page that was begun at revision 1, which is long gone, and one that is none. */
const tokens = ['x', 'e30', Buffer.from('{"v":"meta.k8s.io/v1","rv":1,"start":"base\\u0000"}').toString('base64url'), ''];

const everywhere: readonly Parameters[] = [
  ...['x', '1', '-1s', '0s', '100000h', '1h', '', '1.5s', '1d'].map(one('timeout')),
  ...['true', 'false', '1', 'x', ''].map(one('pretty')),
  [['unknown', '1']],
];

const reads: readonly Parameters[] = [
  ...['abc', '-1', '0', '1', '99999999999999999999', '1.5', ''].map(one('resourceVersion')),
  [['resourceVersionMatch', 'Exact']],
];

const lists: readonly Parameters[] = [
  ...['-1', '0', '1', 'x', '', '1.5', '99999999999999999999', '0x10', '+1', '1_0'].map(one('limit')),
  ...tokens.map(one('continue')),
  ...tokens.flatMap((token): Parameters[] => [
    [
      ['continue', token],
      ['resourceVersion', '1'],
    ],
    [
      ['continue', token],
      ['resourceVersionMatch', 'Exact'],
    ],
    [
      ['continue', token],
      ['limit', '1'],
      ['resourceVersion', '0'],
    ],
  ]),
  ...['Exact', 'NotOlderThan', 'x', ''].flatMap((match): Parameters[] => [
    [['resourceVersionMatch', match]],
    ...['0', '1', 'abc'].map((version): Parameters => [
      ['resourceVersionMatch', match],
      ['resourceVersion', version],
    ]),
    [
      ['resourceVersionMatch', match],
      ['limit', '1'],
    ],
    [
      ['resourceVersionMatch', match],
      ['sendInitialEvents', 'true'],
    ],
  ]),
  ...['true', 'false', 'x', '1'].map(one('sendInitialEvents')),
  ...['x', '-1', '1.5', '99999999999999999999'].map(one('timeoutSeconds')),
  ...['x', 'true', '1'].map(one('allowWatchBookmarks')),
  ...['false', '0'].map(one('watch')),
];

/** Watches that are refused; those that are not end after a second. */
const refusedWatches: readonly Parameters[] = [
  [['sendInitialEvents', 'true']],
  [['sendInitialEvents', 'false']],
  [
    ['sendInitialEvents', 'true'],
    ['resourceVersionMatch', 'Exact'],
  ],
  [
    ['sendInitialEvents', 'true'],
    ['resourceVersionMatch', 'x'],
  ],
  [['resourceVersionMatch', 'NotOlderThan']],
  [
    ['resourceVersionMatch', 'Exact'],
    ['resourceVersion', '0'],
  ],
  [['resourceVersion', 'abc']],
  [['resourceVersion', '-1']],
  [['labelSelector', 'a in']],
  [['fieldSelector', 'spec.nothing=1']],
  [['timeoutSeconds', 'x']],
  [
    ['continue', 'x'],
    ['limit', '1'],
    ['resourceVersion', 'y'],
  ],
].map((parameters) => [['watch', '1'], ...parameters, ['timeoutSeconds', '1']] as unknown as Parameters);

const writes: readonly Parameters[] = [
  ...['x', 'all', 'ALL', 'true'].map(one('dryRun')),
  [dryRun, dryRun],
  [dryRun, ['dryRun', 'x']],
  ...['', 'ok', long, 'a\nb', 'ü'.repeat(64), 'ü'.repeat(65), 'a b', '\u0007'].map((value): Parameters => [
    dryRun,
    ['fieldManager', value],
  ]),
  ...['', 'x', 'strict', 'Ignore', 'Warn', 'Strict'].map((value): Parameters => [dryRun, ['fieldValidation', value]]),
  [
    ['dryRun', 'x'],
    ['fieldManager', long],
    ['fieldValidation', 'x'],
  ],
  [dryRun, ['fieldManager', `${long}\n`], ['fieldValidation', 'x']],
  ...['true', 'false', 'x', '', '0'].map((value): Parameters => [dryRun, ['force', value]]),
  [dryRun, ['force', 'true'], ['fieldManager', 'a']],
  [dryRun, ['force', 'true'], ['fieldManager', long]],
];

const deletions: readonly Parameters[] = [
  ...['-1', 'x', '0', '', '1.5', '99999999999999999999'].map((value): Parameters => [dryRun, ['gracePeriodSeconds', value]]),
  ...['x', '', 'Orphan', 'Background', 'Foreground', 'orphan'].map((value): Parameters => [dryRun, ['propagationPolicy', value]]),
  ...['true', 'false', 'x', ''].map((value): Parameters => [dryRun, ['orphanDependents', value]]),
  [dryRun, ['orphanDependents', 'true'], ['propagationPolicy', 'Orphan']],
  [dryRun, ['orphanDependents', 'true'], ['propagationPolicy', 'x'], ['gracePeriodSeconds', 'y']],
  ...['x', 'all'].map(one('dryRun')),
  [dryRun, ['dryRun', 'x']],
  ...['true', 'false', 'x'].map((value): Parameters => [dryRun, ['ignoreStoreReadErrorWithClusterBreakingPotential', value]]),
  [dryRun, ['ignoreStoreReadErrorWithClusterBreakingPotential', 'true'], ['gracePeriodSeconds', '1']],
  [dryRun, ['fieldManager', long]],
  [dryRun, ['resourceVersion', '1']],
];

function of(known: KnownType): CompareRequest[] {
  const {collection, object, title, base} = known;
  const found: CompareRequest[] = [];
  const add = (method: string, path: string, all: readonly Parameters[], more: Partial<CompareRequest> = {}) => {
    for (const parameters of all) {
      const about = `${title} ${parameters.map(([name, value]) => `${name}=${value.slice(0, 20)}`).join('&')}`;
      found.push({method, path: withQuery(path, parameters), ...more, about});
    }
  };
  const written = (all: readonly Parameters[]): Parameters[] =>
    all.map((parameters) => (parameters.some(([name]) => name === 'dryRun') ? parameters : [dryRun, ...parameters]));
  add('GET', object, [...everywhere, ...reads]);
  add('GET', collection, [...everywhere, ...reads, ...lists, ...refusedWatches]);
  add('POST', collection, [...written(everywhere), ...writes], {body: newObject(known)});
  add('PUT', object, [...written(everywhere), ...writes], {body: base});
  const patches: Record<string, JsonValue> = {json: [], merge: {}, strategic: {}, apply: applied(known)};
  for (const name of ['json', 'merge', 'strategic', 'apply'] as const)
    add('PATCH', object, [...written(everywhere), ...writes], {body: patches[name]!, headers: {'content-type': patchTypes[name]}});
  add('DELETE', object, [...written(everywhere), ...deletions]);
  add('DELETE', collection, [...written(everywhere), ...written([...reads, ...lists]), ...deletions]);
  return found;
}

function applied({base, name}: KnownType): JsonObject {
  return {apiVersion: base['apiVersion']!, kind: base['kind']!, metadata: {name}};
}

/** Parameters of every verb, valid and not. */
export function optionRequests({types}: KindContext): CompareRequest[] {
  return types.flatMap(of);
}
