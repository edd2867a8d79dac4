import {requestJson} from './request.js';
import {pathSegment, type ResourceType} from './types.js';
import type {ObjectVersion} from './version-steps.js';

export interface ObjectHistory {
  readonly after: string;
  readonly leftOut: number;
  readonly versions: readonly ObjectVersion[];
}

/** An object of a graph of owners. */
export interface GraphObject {
  readonly uid: string;
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
  readonly isDeleting: boolean;
  readonly state: 'present' | 'named' | 'absent';
}

export interface OwnerGraph {
  readonly start: string;
  readonly objects: readonly GraphObject[];
  readonly ownerships: readonly {readonly owner: string; readonly dependent: string; readonly isController: boolean}[];
  readonly unlisted: readonly string[];
  readonly incomplete: string;
}

/** A request in a list. */
export interface ListedRequest {
  readonly id: string;
  readonly time: string;
  readonly method: string;
  readonly path: string;
  readonly user?: string;
  readonly impersonator?: string;
  readonly code: number;
  readonly reason?: string;
  readonly seconds: number;
}

export interface Verdict {
  readonly by: 'controller' | 'webhook' | 'policy';
  readonly name: string;
  readonly from?: string;
  readonly half: 'admit' | 'validate';
  readonly verdict: 'allowed' | 'denied' | 'failed' | 'ignored' | 'warned' | 'audited';
  readonly message?: string;
  readonly seconds: number;
}

/** What the server did with a request. */
export interface RequestReport extends ListedRequest {
  readonly verb: string;
  readonly message?: string;
  readonly flow?: {readonly schema: string; readonly level: string; readonly waitedSeconds: number};
  readonly authorization?: {readonly allowed: boolean; readonly reason: string};
  readonly verdicts: readonly Verdict[];
  readonly steps: readonly {readonly name: string; readonly seconds: number}[];
  readonly warnings: readonly string[];
  readonly leftOut: number;
}

interface Named {
  readonly namespace?: string;
  readonly name: string;
}

function queryOf({group, version, resource}: ResourceType, {namespace = '', name}: Named): string {
  return String(new URLSearchParams({group, version, resource, namespace, name}));
}

export function historyOf(type: ResourceType, named: Named, signal: AbortSignal): Promise<ObjectHistory> {
  return requestJson(`/inspection/history?${queryOf(type, named)}`, {signal});
}

export function ownerGraphOf(type: ResourceType, named: Named, signal: AbortSignal): Promise<OwnerGraph> {
  return requestJson(`/inspection/owners?${queryOf(type, named)}`, {signal});
}

/** Which requests are listed: of those that are kept. */
export type RequestKind = 'refused' | 'slow' | 'all';

export async function requestsOf(kind: RequestKind, signal: AbortSignal): Promise<readonly ListedRequest[]> {
  const query = kind === 'all' ? '' : `?${kind}=true`;
  return (await requestJson<{items: readonly ListedRequest[]}>(`/inspection/requests/${query}`, {signal})).items;
}

export async function reportsOf(id: string): Promise<readonly RequestReport[]> {
  return (await requestJson<{items: readonly RequestReport[]}>(`/inspection/requests/${pathSegment(id)}`)).items;
}
