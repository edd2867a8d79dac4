import {readFile, stat} from 'node:fs/promises';
import {isJsonObject, type ApiObject} from '../../../../sdk/index.js';
import type {Node} from '../../../../sdk/types/unchecked/core/v1.js';
import {nodeAnnotation, type NodePool} from './node-form.js';
import {mostNodes, nodePools} from './node-pools.js';

const largestFile = 64 * 1024 * 1024;

/** What is to be made at the start. */
export interface WantedNodes {
  readonly pools: readonly NodePool[];
  readonly objects: readonly Node[];
}

/**
 * The nodes that settings ask for.
 *
 * @param file with Nodes or lists of them, YAML or JSON; empty for none
 * @throws Error in one sentence
 */
export async function wantedNodes(nodes: string, file: string): Promise<WantedNodes> {
  return {pools: nodePools(nodes), objects: file === '' ? [] : await nodesOfFile(file)};
}

async function nodesOfFile(file: string): Promise<Node[]> {
  const {size} = await stat(file);
  if (size > largestFile) throw new Error(`${file} is larger than ${largestFile} bytes`);
  const {loadAll} = await import('js-yaml');
  const documents = loadAll(await readFile(file, 'utf8')) as unknown[];
  const objects = documents.flatMap((document) =>
    isJsonObject(document) && Array.isArray(document['items']) ? document['items'] : [document],
  );
  const nodes = objects.filter((object) => object !== null && object !== undefined).map((object, index) => nodeOf(object, file, index));
  if (nodes.length > mostNodes) throw new Error(`${file} has ${nodes.length} nodes: there can be ${mostNodes} at most`);
  return nodes;
}

/** A Node as somebody may have read it from a cluster: what only a server can have said is left out. */
function nodeOf(value: unknown, file: string, index: number): Node {
  const object = (isJsonObject(value) ? value : {}) as unknown as ApiObject & Node;
  if (object.kind !== 'Node' || object.apiVersion !== 'v1' || !object.metadata?.name)
    throw new Error(`${file}: object ${index + 1} is not a Node of v1 with a name`);
  const {name, labels, annotations} = object.metadata;
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: {name, ...(labels ? {labels} : {}), annotations: {...annotations, [nodeAnnotation]: 'true'}},
    ...(object.spec ? {spec: object.spec} : {}),
    ...(object.status ? {status: object.status} : {}),
  };
}
