import {apiVersionOf, type ApiObject} from '../../../sdk/index.js';

/** Members that have another name in the core group; all others have the same in both. */
const coreNames: readonly (readonly [own: string, core: string])[] = [
  ['regarding', 'involvedObject'],
  ['note', 'message'],
  ['deprecatedSource', 'source'],
  ['deprecatedFirstTimestamp', 'firstTimestamp'],
  ['deprecatedLastTimestamp', 'lastTimestamp'],
  ['deprecatedCount', 'count'],
  ['reportingController', 'reportingComponent'],
];
const toCore = new Map(coreNames);
const toOwn = new Map(coreNames.map(([own, core]) => [core, own]));

/** Texts that are always written in the core group, also when they are empty, and left out then in this one. */
const alwaysInCore = ['reportingComponent', 'reportingInstance'] as const;
const leftOutWhenEmpty = new Set(['reportingController', 'reportingInstance']);

/** An event of one of the two groups as one of the other. Nothing is lost either way; parts are shared with the original. */
export function convertEvent(object: ApiObject, to: {readonly group: string; readonly version: string}): ApiObject {
  const apiVersion = apiVersionOf(to);
  return to.group === '' ? coreEvent(object, apiVersion) : ownEvent(object, apiVersion);
}

function coreEvent(object: ApiObject, apiVersion: string): ApiObject {
  const event = renamed(object, apiVersion, toCore);
  for (const member of alwaysInCore) event[member] ??= '';
  return event;
}

function ownEvent(object: ApiObject, apiVersion: string): ApiObject {
  const event = renamed(object, apiVersion, toOwn);
  for (const member of leftOutWhenEmpty) if (event[member] === '') delete event[member];
  return event;
}

function renamed(object: ApiObject, apiVersion: string, names: ReadonlyMap<string, string>): ApiObject {
  const entries = Object.entries(object).map(([member, value]) => [names.get(member) ?? member, value] as const);
  return {...(Object.fromEntries(entries) as ApiObject), apiVersion};
}
