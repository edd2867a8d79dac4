import type {FuzzRequest} from '../fuzz-request.js';
import type {Value} from '../mutate/json-value.js';

export interface Case {
  readonly before: readonly FuzzRequest[];
  readonly request: FuzzRequest;
}

/** Tries on servers of their own cost a second each when they show the fault. */
const maximumTries = 80;

/** Leaves out one thing after the other as long as the fault stays: requests before it, headers, parameters, parts of the body. */
export async function shrink(found: Case, isFault: (attempt: Case) => Promise<boolean>): Promise<Case> {
  let best = found;
  let tries = 0;
  const attempt = async (smaller: Case): Promise<boolean> => {
    if (tries++ >= maximumTries || !(await isFault(smaller))) return false;
    best = smaller;
    return true;
  };
  for (let size = best.before.length; size >= 1; size >>= 1) {
    for (let at = 0; at < best.before.length;) if (!(await attempt({...best, before: best.before.toSpliced(at, size)}))) at += size;
    if (best.before.length === 0) break;
  }
  for (let progress = true; progress && tries < maximumTries;) {
    progress = false;
    for (const request of smallerRequests(best.request))
      if (await attempt({...best, request})) {
        progress = true;
        break;
      }
  }
  return best;
}

function* smallerRequests(request: FuzzRequest): Generator<FuzzRequest> {
  const {path, headers, body, raw} = request;
  if (raw) return;
  for (const index of headers.keys()) yield {...request, headers: headers.toSpliced(index, 1)};
  const [place = '', query = ''] = path.split('?', 2);
  const pairs = query === '' ? [] : query.split('&');
  for (const index of pairs.keys()) {
    const left = pairs.toSpliced(index, 1).join('&');
    yield {...request, path: left === '' ? place : `${place}?${left}`};
  }
  if (!body) return;
  let value: Value;
  try {
    value = JSON.parse(body.toString()) as Value;
  } catch {
    for (const part of [body.subarray(0, body.length >> 1), body.subarray(body.length >> 1)])
      if (part.length < body.length) yield {...request, body: part};
    return;
  }
  for (const smaller of smallerValues(value)) yield {...request, body: Buffer.from(JSON.stringify(smaller))};
}

/** The value without one of its parts, the large ones first. */
function* smallerValues(value: Value): Generator<Value> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value)) {
    if (value.length > 4) yield value.slice(0, value.length >> 1);
    for (const index of value.keys()) yield value.toSpliced(index, 1);
    for (const [index, item] of value.entries()) for (const smaller of smallerValues(item)) yield value.with(index, smaller);
    return;
  }
  const members = Object.entries(value);
  for (const index of members.keys()) yield Object.fromEntries(members.toSpliced(index, 1));
  for (const [index, [name, member]] of members.entries())
    for (const smaller of smallerValues(member)) yield Object.fromEntries(members.with(index, [name, smaller]));
}
