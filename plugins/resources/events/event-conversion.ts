import {apiVersionOf, type ApiObject} from '../../../sdk/index.js';

/** Members with another name in the core group; all others have the same name. */
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

/** Strings that are always written in the core group, even if empty; in this group empty ones are left out. */
const alwaysInCore = ['reportingComponent', 'reportingInstance'] as const;
const leftOutWhenEmpty = new Set(['reportingController', 'reportingInstance']);

/** Converts an event between the two groups. Nothing is lost; the result shares parts with the original. */
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
