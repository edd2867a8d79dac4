import {isDeepStrictEqual} from 'node:util';
import type {FuzzRequest} from '../fuzz-request.js';
import type {Outcome} from './wire.js';

interface Written {
  readonly kind?: string;
  readonly type?: unknown;
  readonly metadata?: {
    readonly name?: string;
    readonly uid?: string;
    readonly resourceVersion?: string;
    readonly deletionTimestamp?: string;
    readonly ownerReferences?: readonly unknown[];
  };
}

/** A read that has to show what was written. */
export interface ReadBack {
  readonly request: FuzzRequest;
  readonly written: Written;
}

/** Answers the read that has to show a write that succeeded; undefined for what leaves no object to read. */
export function readBackOf(request: FuzzRequest, {response, endless}: Outcome): ReadBack | undefined {
  if (!response || endless || response.status >= 300 || request.manner === 'raw') return undefined;
  const {method} = request;
  if (method !== 'POST' && method !== 'PUT' && method !== 'PATCH') return undefined;
  if (/dryrun/i.test(request.path) || !/\r\ncontent-type: application\/json(\r\n|$)/i.test(response.head)) return undefined;
  let written: Written;
  try {
    written = JSON.parse(response.body.toString()) as Written;
  } catch {
    return undefined;
  }
  const {name, uid, deletionTimestamp, resourceVersion, ownerReferences} = written.metadata ?? {};
  // The garbage collector takes away what has made-up owners.
  if (ownerReferences !== undefined) return undefined;
  // As is the token of a service account that is not there.
  if (written.type === 'kubernetes.io/service-account-token') return undefined;
  if (!name?.isWellFormed() || !uid || !resourceVersion || deletionTimestamp !== undefined) return undefined;
  // Another form of the object.
  if (written.kind === 'Table' || written.kind === 'PartialObjectMetadata') return undefined;
  const path = request.path.split('?')[0]!.replace(/\/$/, '');
  // Operations answer objects of theirs, or none: they are told from collections by their place behind a name.
  if (method === 'POST' && /\/(token|eviction|binding|bindings|proxy)(\/|$)/.test(path)) return undefined;
  const read =
    method === 'POST' ? `${path}/${encodeURIComponent(name)}` : path.replace(/\/(finalize|approval|ephemeralcontainers|binding)$/, '');
  return {request: {method: 'GET', path: read, headers: [['accept', 'application/json']], body: undefined, manner: 'whole'}, written};
}

/** What is wrong with the answer to such a read, in words. Others may have written meanwhile: what is newer is as good. */
export function readBackFault({written}: ReadBack, {response, failure}: Outcome): string | undefined {
  if (!response) return failure === undefined ? undefined : `the read behind a write: ${failure}`;
  if (response.status !== 200) return `a write that succeeded is read as ${response.status}: ${response.body.toString().slice(0, 200)}`;
  const read = JSON.parse(response.body.toString()) as Written;
  const {uid, resourceVersion} = read.metadata ?? {};
  if (uid !== written.metadata!.uid) return 'a write that succeeded is read as another object';
  if (resourceVersion !== written.metadata!.resourceVersion) return undefined;
  return isDeepStrictEqual(read, written) ? undefined : 'a write that succeeded is read as another content of the same version';
}
