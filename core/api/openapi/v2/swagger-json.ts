import {encodeJson} from '../../codec/json.js';
import type {OpenApiNode} from '../openapi-input.js';
import type {SwaggerForm} from './swagger-part.js';
import {swaggerHead} from './swagger-head.js';

const comma = Buffer.from(',');

/** OpenAPI v2 as JSON text. */
export const swaggerJson: SwaggerForm = {
  paths: (paths) =>
    Buffer.from(
      Object.entries(paths)
        .map(([path, item]) => member(path, item))
        .join(','),
    ),
  definition: (name, schema) => Buffer.from(member(name, schema)),
  document(frame, paths, definitions) {
    // Removes the closing brace of the head, so that more members can follow.
    const head = encodeJson(swaggerHead(frame)).slice(0, -1);
    return Buffer.concat([
      Buffer.from(`${head},"paths":{`),
      ...separated(paths),
      Buffer.from('},"definitions":{'),
      ...separated(definitions),
      Buffer.from('}}'),
    ]);
  },
};

function member(name: string, value: OpenApiNode): string {
  return `${JSON.stringify(name)}:${encodeJson(value)}`;
}

function separated(pieces: readonly Buffer[]): Buffer[] {
  return pieces.flatMap((piece, index) => (index === 0 ? [piece] : [comma, piece]));
}
