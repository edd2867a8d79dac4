import type {TestClient} from '@orch-api/orch/testing';

/** A resource type of discovery whose objects are stored. */
export interface CatalogueType {
  readonly group: string;
  readonly version: string;
  readonly groupVersion: string;
  /** `/api/v1` or `/apis/GROUP/VERSION`. */
  readonly root: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
}

interface ResourceList {
  readonly resources: readonly {
    readonly name: string;
    readonly kind: string;
    readonly namespaced: boolean;
    readonly verbs: readonly string[];
  }[];
}

const stored = ['create', 'delete', 'get', 'list', 'patch', 'update', 'watch'];

/** All types whose objects a client can create, read, change, watch and delete, in the order of discovery. */
export async function catalogueTypes(client: TestClient): Promise<CatalogueType[]> {
  const {groups} = (await client.get('/apis')).json<{groups: {versions: {groupVersion: string}[]}[]}>();
  const groupVersions = ['v1', ...groups.flatMap(({versions}) => versions.map(({groupVersion}) => groupVersion))];
  const found: CatalogueType[] = [];
  for (const groupVersion of groupVersions) {
    const root = groupVersion.includes('/') ? `/apis/${groupVersion}` : `/api/${groupVersion}`;
    const [group, version] = groupVersion.includes('/') ? (groupVersion.split('/') as [string, string]) : ['', groupVersion];
    for (const {name, kind, namespaced, verbs} of (await client.get(root)).json<ResourceList>().resources) {
      if (!name.includes('/') && stored.every((verb) => verbs.includes(verb)))
        found.push({group, version, groupVersion, root, resource: name, kind, namespaced});
    }
  }
  return found;
}
