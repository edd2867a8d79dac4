import type {JsonValue} from '../../../sdk/index.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {isSmall, yamlPieces} from '../../api/codec/yaml-pieces.js';
import type {RequestTask} from '../../registry/request-task.js';

/** A document in YAML. Between the pieces of a large one other requests get their turn. */
export function yamlBytes(document: JsonValue, task: RequestTask): Buffer | Promise<Buffer> {
  return isSmall(document) ? Buffer.from(encodeYaml(document)) : inPieces(document, task);
}

async function inPieces(document: JsonValue, task: RequestTask): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const piece of yamlPieces(document)) {
    parts.push(Buffer.from(piece));
    const turn = task.yieldIfDue();
    if (turn) await turn;
  }
  return Buffer.concat(parts);
}
