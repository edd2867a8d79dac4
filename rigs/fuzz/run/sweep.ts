import type {FuzzRequest} from '../fuzz-request.js';
import type {Wire} from './wire.js';

interface Resource {
  readonly name: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
}

interface Item {
  readonly metadata: {readonly name: string; readonly namespace?: string; readonly finalizers?: readonly string[]};
}

/** Namespaces that stay. */
const lasting = /^(default|kube-.*)$/;
/** Objects that the server itself makes and needs: all that were there before the first request. */
export type Lasting = ReadonlySet<string>;

const request = (method: string, path: string, body?: unknown, type = 'application/json'): FuzzRequest => ({
  method,
  path,
  headers: body === undefined ? [] : [['content-type', type]],
  body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
  manner: 'whole',
});

async function ask(wire: Wire, asked: FuzzRequest): Promise<{status: number; json: unknown}> {
  const [outcome] = await wire.send([asked]);
  const text = outcome?.response?.body.toString() ?? '';
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  return {status: outcome?.response?.status ?? 0, json};
}

/** Paths of all objects that there are. */
export async function allObjects(wire: Wire): Promise<Map<string, Item>> {
  const found = new Map<string, Item>();
  const groups = (await ask(wire, request('GET', '/apis'))).json as {groups?: {preferredVersion: {groupVersion: string}}[]} | undefined;
  const roots = ['/api/v1', ...(groups?.groups ?? []).map(({preferredVersion}) => `/apis/${preferredVersion.groupVersion}`)];
  for (const root of roots) {
    const {resources = []} = ((await ask(wire, request('GET', root))).json ?? {}) as {resources?: readonly Resource[]};
    for (const {name, namespaced, verbs} of resources) {
      if (name.includes('/') || !verbs.includes('delete') || !verbs.includes('list')) continue;
      const {items = []} = ((await ask(wire, request('GET', `${root}/${name}`))).json ?? {}) as {items?: readonly Item[]};
      for (const item of items) {
        const scope = namespaced ? `/namespaces/${item.metadata.namespace}` : '';
        found.set(`${root}${scope}/${name}/${encodeURIComponent(item.metadata.name)}`, item);
      }
    }
  }
  return found;
}

/** Removes all objects but those that are to last, with their finalizers, so that the store does not grow by design. */
export async function sweep(wire: Wire, lastingObjects: Lasting): Promise<number> {
  let removed = 0;
  for (let round = 0; round < 3; round++) {
    const left = [...(await allObjects(wire))].filter(
      ([path, {metadata}]) => !lastingObjects.has(path) && !(path.startsWith('/api/v1/namespaces/') && lasting.test(metadata.name)),
    );
    if (left.length === 0) break;
    for (const [path, {metadata}] of left) {
      if (metadata.finalizers?.length)
        await ask(wire, request('PATCH', path, {metadata: {finalizers: null}}, 'application/merge-patch+json'));
      const {status} = await ask(wire, request('DELETE', `${path}?gracePeriodSeconds=0&propagationPolicy=Background`));
      if (status === 200 || status === 202) removed++;
    }
  }
  return removed;
}
