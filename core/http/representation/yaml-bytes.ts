import type {JsonValue} from '../../../sdk/index.js';
import {encodeYaml} from '../../api/codec/yaml.js';
import {isSmall, yamlPieces} from '../../api/codec/yaml-pieces.js';
import type {Pace} from '../../registry/pace.js';

/** A document in YAML. Between the pieces of a large one other requests get their turn. */
export function yamlBytes(document: JsonValue, pace: Pace): Buffer | Promise<Buffer> {
  return isSmall(document) ? Buffer.from(encodeYaml(document)) : inPieces(document, pace);
}

async function inPieces(document: JsonValue, pace: Pace): Promise<Buffer> {
  const parts: Buffer[] = [];
  for (const piece of yamlPieces(document)) {
    parts.push(Buffer.from(piece));
    const turn = pace.pause();
    if (turn) await turn;
  }
  return Buffer.concat(parts);
}
